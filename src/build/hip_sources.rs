//! What CMake is told about `.cu` files for AMD: a function that it calls when all targets are known.

/// The folder beside the output in which a build for both vendors finds what is for AMD alone.
pub(crate) const FOLDER: &str = "cass_hip";
/// The header in it that gives the names of CUDA HIP's.
pub(crate) const HEADER: &str = "cass_hip/cass_cuda_shim.h";
/// The module of CMake in it.
pub(crate) const MODULE: &str = "use_hip.cmake";

/// Gives all `.cu` files their language. `FLAGS` stands for what follows.
const FUNCTION: &str = r#"# .cu files are sources of HIP, however they come to a target, and host sources beside them use headers of HIP
function(cass_use_hip dir)
  get_property(targets DIRECTORY "${dir}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(sources ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
CHOICE    if(NOT sources OR type MATCHES "INTERFACE|UTILITY")
      continue()
    endif()
    foreach(source IN LISTS sources)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}")
      set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES LANGUAGE HIP)
HOST    endforeach()
    # what was made before the language was enabled has no chips yet
    get_target_property(chips ${target} HIP_ARCHITECTURES)
    if(NOT chips)
      set_property(TARGET ${target} PROPERTY HIP_ARCHITECTURES ${CMAKE_HIP_ARCHITECTURES})
    endif()
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES hip::host)
    get_target_property(separable ${target} CUDA_SEPARABLE_COMPILATION)
FLAGS    if(separable)
      set_property(TARGET ${target} APPEND PROPERTY COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:HIP>:-fgpu-rdc>")
      set_property(TARGET ${target} APPEND PROPERTY LINK_OPTIONS -fgpu-rdc --hip-link)
      set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_OPTIONS -fgpu-rdc --hip-link)
    endif()
  endforeach()
  get_property(folders DIRECTORY "${dir}" PROPERTY SUBDIRECTORIES)
  foreach(folder IN LISTS folders)
    cass_use_hip("${folder}")
  endforeach()
endfunction()
cmake_language(DEFER CALL cass_use_hip "${CMAKE_CURRENT_SOURCE_DIR}")
"#;

/// Picks the sources by their ends.
const BY_ENDS: &str = r#"    list(FILTER sources INCLUDE REGEX "\\.cu$")
"#;

/// Picks host sources as well. `PROPERTY` stands for the line that asks for the language which the list gives a source.
const BY_NAMES: &str = r#"    set(of_hip "")
    foreach(source IN LISTS sources)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}" NORMALIZE)
PROPERTY      if(source MATCHES "\\.cu$" OR source IN_LIST cass_sources_for_hipccWANTED)
        list(APPEND of_hip "${source}")
      endif()
    endforeach()
    set(sources ${of_hip})
"#;

/// Gives a host source what it had as one of C++.
const OPTIONS: &str = r#"      if(NOT source MATCHES "\\.cu$")
        separate_arguments(options NATIVE_COMMAND "${CMAKE_CXX_FLAGS}")
        set_property(SOURCE "${source}" TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS ${options})
        get_target_property(standard ${target} CXX_STANDARD)
        get_target_property(chosen ${target} HIP_STANDARD)
        if(standard AND NOT chosen)
          set_property(TARGET ${target} PROPERTY HIP_STANDARD ${standard})
        endif()
      endif()
"#;

/// Asks for the property by which a list makes a host source one of HIP.
const LANGUAGE: &str = r#"      get_source_file_property(language "${source}" TARGET_DIRECTORY ${target} LANGUAGE)
"#;

/// What FindCUDA takes from variables.
const FLAGS: &str = r#"    get_directory_property(old_style DIRECTORY "${dir}" DEFINITION CUDA_SEPARABLE_COMPILATION)
    if(old_style)
      set(separable ON)
    endif()
    get_directory_property(flags DIRECTORY "${dir}" DEFINITION HIP_HIPCC_FLAGS)
    # FindCUDA parted these flags at blanks as well
    string(REGEX REPLACE "[ ;]+" ";" flags "${flags}")
    set_property(TARGET ${target} APPEND PROPERTY COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:HIP>:${flags}>")
    # nvcc took its standard from these flags alone, never from CMAKE_CXX_STANDARD; what a target says itself stays
    get_target_property(chosen ${target} HIP_STANDARD)
    if("${flags}" MATCHES "-std=[a-z+]+([0-9]+)")
      set_property(TARGET ${target} PROPERTY HIP_STANDARD ${CMAKE_MATCH_1})
    elseif(NOT chosen)
      set_property(TARGET ${target} PROPERTY HIP_STANDARD 17)
    endif()
"#;

/// How sources that go on including CUDA's headers and calling its names find HIP's.
const NAMES: &str = r#"# CUDA's headers and names lead to HIP's
include_directories(BEFORE "${CMAKE_CURRENT_LIST_DIR}")
add_compile_options("$<$<COMPILE_LANGUAGE:HIP>:SHELL:-include cass_cuda_shim.h>")
add_compile_definitions(USE_ROCM)
"#;

/// What host sources become sources of HIP.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Host {
    /// Those that a list of names holds.
    pub(crate) named: bool,
    /// Those that lists give the language by a property.
    pub(crate) marked: bool,
}

/// The function and its deferred call; `is_old` where FindCUDA's variables count.
pub(crate) fn function(is_old: bool, host: Host) -> String {
    let (choice, options) = match host.named || host.marked {
        true => (BY_NAMES, OPTIONS),
        false => (BY_ENDS, ""),
    };
    let (question, wanted) = match host.marked {
        true => (LANGUAGE, " OR language STREQUAL \"HIP\""),
        false => ("", ""),
    };
    let choice = choice
        .replace("PROPERTY", question)
        .replace("WANTED", wanted);
    let function = FUNCTION.replace("FLAGS", if is_old { FLAGS } else { "" });
    function.replace("CHOICE", &choice).replace("HOST", options)
}

/// The names of sources for the host's compiler that read headers which hipcc alone takes, given as paths from the list.
pub(crate) fn names_of_host(host: &[&str]) -> String {
    if host.is_empty() {
        return String::new();
    }
    let lines = host.iter();
    let lines = lines.map(|path| format!("  \"${{CMAKE_CURRENT_SOURCE_DIR}}/{path}\"\n"));
    let lines: String = lines.collect();
    format!(
        "# host sources that read rocThrust, hipCUB or the like, which g++ does not compile\nset(cass_sources_for_hipcc\n{lines})\n"
    )
}

/// The way from a file of the tree to the folder.
pub(crate) fn folder_from(path: &str) -> String {
    let up = "../".repeat(path.matches('/').count());
    format!("{up}{FOLDER}")
}

/// The line by which a list takes the module.
pub(crate) fn include(path: &str) -> String {
    let folder = folder_from(path);
    format!("include(\"${{CMAKE_CURRENT_SOURCE_DIR}}/{folder}/{MODULE}\")")
}

/// The module of a build for both vendors, which the list includes where it enables HIP.
pub(crate) fn module() -> String {
    let packages = "# What a build for AMD needs: included where the language HIP is enabled\nfind_package(hip REQUIRED)\n";
    let host = Host {
        named: true,
        marked: true,
    };
    [packages, NAMES, &function(true, host)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_found_from_each_list() {
        for (path, expected) in [
            ("CMakeLists.txt", "cass_hip"),
            ("lib/CMakeLists.txt", "../cass_hip"),
            ("a/b/c/CMakeLists.txt", "../../../cass_hip"),
        ] {
            assert_eq!(folder_from(path), expected);
            let line =
                format!("include(\"${{CMAKE_CURRENT_SOURCE_DIR}}/{expected}/use_hip.cmake\")");
            assert_eq!(include(path), line);
        }
    }

    #[test]
    fn every_block_of_the_module_ends() {
        let count = |text: &str, word: &str| {
            let lines = text.lines().map(str::trim_start);
            lines
                .filter(|line| line.starts_with(&format!("{word}(")))
                .count()
        };
        let named = Host {
            named: true,
            marked: false,
        };
        let marked = Host {
            named: false,
            marked: true,
        };
        for text in [
            function(false, Host::default()),
            function(true, named),
            function(true, marked),
            names_of_host(&["a.cpp"]) + &function(false, named),
            module(),
        ] {
            assert!(!text.contains("FLAGS "), "its place is filled");
            assert!(!text.contains("CHOICE") && !text.contains("HOST"), "{text}");
            assert!(
                !text.contains("WANTED") && !text.contains("PROPERTY  "),
                "{text}"
            );
            for (begin, end) in [
                ("if", "endif"),
                ("foreach", "endforeach"),
                ("function", "endfunction"),
            ] {
                assert_eq!(count(&text, begin), count(&text, end), "{begin} in {text}");
            }
        }
        assert!(function(true, Host::default()).contains("HIP_HIPCC_FLAGS"));
        assert!(!function(false, Host::default()).contains("HIP_HIPCC_FLAGS"));
    }
}
