// name: helper_functions
// provides: EXIT_WAIVED
// replaces: helper_functions.h
// requires: helper_compare, helper_exception, helper_image, helper_string, helper_timer
// includes: algorithm, cassert, cmath, cstdio, cstdlib, cstring, ctime, fstream, iostream, string, vector
// summary: Everything that the CUDA samples' helper_functions.h brings: command line, timer, files, images and comparisons.
// source: documented behaviour of the CUDA samples (Common)
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
