// name: helper_string
// provides: checkCmdLineFlag, getCmdLineArgumentValue, getCmdLineArgumentInt, getCmdLineArgumentFloat, getCmdLineArgumentString, sdkFindFilePath
// replaces: helper_string.h
// includes: cstdio, cstdlib, cstring, string, strings.h
// summary: Command-line and file-search functions of the CUDA samples' helper_string.h under their own names.
// source: documented behaviour of the CUDA samples (Common): -flag, --flag, -name=value, case ignored, the last one counts
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#endif
#ifndef STRNCASECMP
#define STRNCASECMP strncasecmp
#endif
#ifndef STRCPY
#define STRCPY(to, size, from) strcpy(to, from)
#endif
#ifndef FOPEN
#define FOPEN(handle, name, mode) (handle = fopen(name, mode))
#endif
#ifndef FOPEN_FAIL
#define FOPEN_FAIL(result) (result == NULL)
#endif
#ifndef SSCANF
#define SSCANF sscanf
#endif
#ifndef SPRINTF
#define SPRINTF sprintf
#endif

// A text that only these functions take: beside a helper_string.h of the project its functions fit better.
struct cass_text {
    const char* text;
    cass_text(const char* text) : text(text) {}
    operator const char*() const { return text; }
};

inline const char* cass_argument_text(const char* argument)
{
    return argument + strspn(argument, "-");
}

inline bool checkCmdLineFlag(const int argc, const char** argv, cass_text name)
{
    for (int i = 1; i < argc; ++i) {
        const char* text = cass_argument_text(argv[i]);
        size_t length = strcspn(text, "=");
        if (length == strlen(name) && strncasecmp(text, name, length) == 0)
            return true;
    }
    return false;
}

// Text after `name` and an optional '=', of the last argument that begins with `name`; null if there is none.
inline const char* cass_argument_value(int argc, const char** argv, const char* name)
{
    const char* value = nullptr;
    for (int i = 1; i < argc; ++i) {
        const char* text = cass_argument_text(argv[i]);
        if (strncasecmp(text, name, strlen(name)) != 0)
            continue;
        value = text + strlen(name);
        value += *value == '=';
    }
    return value;
}

template <class CassT>
inline bool getCmdLineArgumentValue(const int argc, const char** argv, cass_text name, CassT* value)
{
    const char* text = cass_argument_value(argc, argv, name);
    if (text)
        *value = static_cast<CassT>(atof(text));
    return text != nullptr;
}

inline int getCmdLineArgumentInt(const int argc, const char** argv, cass_text name)
{
    const char* text = cass_argument_value(argc, argv, name);
    return text ? atoi(text) : 0;
}

inline float getCmdLineArgumentFloat(const int argc, const char** argv, cass_text name)
{
    const char* text = cass_argument_value(argc, argv, name);
    return text ? static_cast<float>(atof(text)) : 0.0f;
}

inline bool getCmdLineArgumentString(const int argc, const char** argv, cass_text name, char** value)
{
    *value = const_cast<char*>(cass_argument_value(argc, argv, name));
    return *value != nullptr;
}

// Searches the working folder and the program's folder, each with its data folders, and up to six levels above them.
// The result is allocated with malloc; null if no such file can be read.
inline char* sdkFindFilePath(cass_text name, cass_text program)
{
    const std::string own = program.text ? program.text : "";
    const size_t slash = own.find_last_of('/');
    const std::string starts[] = {"./", slash == std::string::npos ? "./" : own.substr(0, slash + 1)};
    const char* const folders[] = {"", "data/", "Common/", "Common/data/"};
    for (std::string base : starts) {
        for (int level = 0; level <= 6; ++level, base += "../") {
            for (const char* folder : folders) {
                const std::string path = base + folder + name.text;
                if (FILE* file = fopen(path.c_str(), "rb")) {
                    fclose(file);
                    return strdup(path.c_str());
                }
            }
        }
    }
    return nullptr;
}
