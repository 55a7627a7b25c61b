//! What `.github`, the hook and the README tell other programs to run. Workflows run on GitHub; here their steps are taken out of
//! the files and run by bash as a runner does, with this build of the program where the action installs its own.

#![cfg(unix)]

mod action;
#[path = "../common/mod.rs"]
mod common;
mod lines;
mod matcher;
mod release;
mod runner;
mod yaml;
