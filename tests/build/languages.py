"""What CMake finds out about the compilers, asked once for all projects.

CMake compiles and runs a handful of programs for each language of each project, to learn about a compiler that is the same for all:
more than half of what configuring one of these projects costs. Here one project with all languages is configured for an environment;
the others get its answers as a second run of CMake in the same folder would find them. A project that itself says which compiler,
which host compiler or which chips there are before its language is enabled belongs into `ASKS` and asks for itself.
"""
import pathlib
import re
import shutil
import subprocess

# Projects that choose compilers or chips before the language, by what they are about; the plain one shows that asking works at all.
ASKS = {"c03-project-languages", "c05-check-language", "c07-architectures", "c08-archs-native-all-off", "c25-presets", "c27-compiler-before-project"}
# Says that the answers in the folder are those of this machine.
KNOWN = "-DCMAKE_PLATFORM_INFO_INITIALIZED=1"


class Languages:
    """CMake's answers about the compilers of one environment: `gpu` is HIP or CUDA."""

    def __init__(self, folder: pathlib.Path, gpu: str, env: dict[str, str]) -> None:
        folder.mkdir(parents=True)
        (folder / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.21)\nproject(x LANGUAGES C CXX {gpu})\n")
        done = subprocess.run(["cmake", "-S", folder, "-B", folder / "build"], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise SystemExit(f"run.py: CMake does not accept the compiler for {gpu}:\n{done.stdout}")
        (self.answers,) = (folder / "build/CMakeFiles").glob("[0-9]*")
        cache = (folder / "build/CMakeCache.txt").read_text()
        # The one answer that CMake keeps elsewhere.
        chips = re.search(rf"^(CMAKE_{gpu}_ARCHITECTURES):STRING=(.*)$", cache, re.MULTILINE)
        assert chips, cache
        with (self.answers / f"CMake{gpu}Compiler.cmake").open("a") as compiler:
            compiler.write(f'if(NOT DEFINED {chips[1]})\n  set({chips[1]} "{chips[2]}" CACHE STRING "")\nendif()\n')

    def give(self, build: pathlib.Path) -> None:
        """Puts the answers into the build folder of a project that was not configured yet."""
        shutil.copytree(self.answers, build / "CMakeFiles" / self.answers.name)
