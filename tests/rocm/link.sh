#!/usr/bin/env bash
# link.sh ROCM_DIR DIR: a folder DIR/usr in which HIP programs compile and link as strictly as with ROCm, without a GPU or ROCm.
#
#   . DIR/env.sh        hipcc, amdclang++, rocm_agent_enumerator in PATH; CMake finds ROCm's packages and the language HIP
#
# ROCM_DIR is what setup.sh filled (headers, CMake packages, device bitcode). To it come
#   hipcc, hipconfig    AMD's own programs, unchanged, run by the C library of their release
#   clang               that of this machine, told where ROCm's files are
#   libraries           a stub for each: the real one's name and symbols, no code. A call to a function that ROCm does not export fails to
#                       link; nothing that was linked can run. The symbols are those of the real library, or, for libraries of 14 MB to
#                       500 MB (LARGE), of the functions that their headers declare.
#   chip                rocm_agent_enumerator says $HIP_BUILD_ARCH, or gfx90a, as if such a card were plugged in
# As root it installs CMake, make and clang's own libraries where they are missing. Half a minute, 20 MB; a second call returns at once.
set -euo pipefail

SUITE=${CASS_ROCM_SUITE:-sid}
LLVM=/usr/lib/llvm-19
MULTIARCH=lib/x86_64-linux-gnu
BUILD_PACKAGES=(cmake make libclang-rt-19-dev libomp-19-dev binutils g++)
# Packages whose files are used or whose symbols are read; those of libraries are found by what the -dev packages depend on.
PROGRAM_PACKAGES=(hipcc libc6 libstdc++6 libgcc-s1 rocm-cmake)
DEV_PACKAGES=(libamdhip64-dev libhsa-runtime-dev libhipblas-dev libhipsparse-dev libhipsolver-dev libhipfft-dev librocfft-dev
  libhiprand-dev libmiopen-dev librocm-smi-dev libamd-smi-dev libroctx-dev)
LARGE='^lib(rocblas|rocsparse|rocsolver|rocrand|hipblaslt|rccl|amd-comgr|c6|stdc|gcc|drm)'

die() { echo "link.sh: $*" >&2; exit 1; }
here=$(cd "$(dirname "$0")" && pwd)
. "$here/apt.sh"
[ $# = 2 ] || die "usage: link.sh ROCM_DIR DIR"
ROCM=$1/usr
[ -e "$ROCM/include/hip/hip_runtime.h" ] || die "no HIP headers in $ROCM; run setup.sh $1 first"
DIR=$(mkdir -p "$2" && cd "$2" && pwd)
USR=$DIR/usr
REAL=$DIR/real
APT=$DIR/.apt
WANTED="1 $(cat "$1/.complete")"

has_build_packages() {
  local file
  for file in "$LLVM/lib/clang/19/lib" "$LLVM/lib/clang/19/include/omp.h"; do [ -e "$file" ] || return 1; done
  command -v cmake make nm g++ >/dev/null
}

install_build_packages() {
  has_build_packages && return
  [ "$(id -u)" = 0 ] || die "as root: apt-get install ${BUILD_PACKAGES[*]}"
  apt-get -q update >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${BUILD_PACKAGES[@]}" >/dev/null
  has_build_packages || die "the packages ${BUILD_PACKAGES[*]} did not bring what is needed"
}

# The packages of the libraries themselves: libhipblas-dev depends on libhipblas2.
library_packages() {
  apt-cache "${APT_OPTIONS[@]}" depends --important "${DEV_PACKAGES[@]}" |
    awk '/Depends: lib/ { print $2 }' | grep -Ev -- '-dev$' | grep -Ev "$LARGE" | sort -u
}

unpack() {
  local deb packages
  prepare_apt "$SUITE"
  mapfile -t packages < <(library_packages)
  [ ${#packages[@]} -gt 5 ] || die "the archive's -dev packages name no libraries: ${packages[*]}"
  download "${PROGRAM_PACKAGES[@]/%//$SUITE}" "${packages[@]/%//$SUITE}"
  for deb in "$APT"/debs/*.deb; do
    case $deb in */rocm-cmake_*) dpkg -x "$deb" "$DIR" ;; *) dpkg -x "$deb" "$REAL" ;; esac
  done
  rm -rf "$APT"
}

# What /opt/rocm has in other places than Debian.
lay_out() {
  local so file
  mkdir -p "$USR/bin" "$USR/amdgcn" "$USR/.info" "$USR/llvm/bin"
  ln -sfn ../lib/llvm-17/lib/clang/17/amdgcn/bitcode "$USR/amdgcn/bitcode"
  for so in "$USR/$MULTIARCH"/lib*.so*; do ln -sfn "x86_64-linux-gnu/$(basename "$so")" "$USR/lib/$(basename "$so")"; done
  (cd "$USR/$MULTIARCH/cmake" && find . -name '*.cmake') | while read -r file; do
    mkdir -p "$USR/lib/cmake/$(dirname "$file")"
    # The packages count folders upwards from where their file lies: it is included, not linked.
    echo "include(\"\${CMAKE_CURRENT_LIST_DIR}/../../x86_64-linux-gnu/cmake/${file#./}\")" >"$USR/lib/cmake/$file"
  done
  echo 6.4.3-128 >"$USR/.info/version"
}

program() {
  cat >"$1"
  chmod +x "$1"
}

write_programs() {
  local name loader=$REAL/usr/$MULTIARCH
  ln -sf "$LLVM/bin"/* "$USR/llvm/bin/"
  rm -f "$USR"/llvm/bin/{clang,clang++,amdgpu-arch,offload-arch}
  for name in clang clang++; do
    program "$USR/llvm/bin/$name" <<SH
#!/bin/sh
exec $LLVM/bin/$name --start-no-unused-arguments --rocm-path=$USR --rocm-device-lib-path=$USR/amdgcn/bitcode --amdgpu-arch-tool=$USR/llvm/bin/amdgpu-arch --end-no-unused-arguments "\$@"
SH
    ln -sf "../llvm/bin/$name" "$USR/bin/amd$name"
  done
  for name in llvm/bin/amdgpu-arch llvm/bin/offload-arch bin/rocm_agent_enumerator; do
    printf '#!/bin/sh\necho "${HIP_BUILD_ARCH:-gfx90a}"\n' | program "$USR/$name"
  done
  for name in hipcc hipconfig; do
    program "$USR/bin/$name" <<SH
#!/bin/sh
# A real installation needs none of these variables.
: "\${HIP_CLANG_PATH=$USR/llvm/bin}" "\${ROCM_PATH=$USR}" "\${HIP_PATH=$USR}" "\${HIP_PLATFORM=amd}" "\${DEVICE_LIB_PATH=$USR/amdgcn/bitcode}" "\${HIP_LIB_PATH=$USR/lib}"
export HIP_CLANG_PATH ROCM_PATH HIP_PATH HIP_PLATFORM DEVICE_LIB_PATH HIP_LIB_PATH
exec $loader/ld-linux-x86-64.so.2 --library-path $loader --argv0 $REAL/usr/bin/$name $REAL/usr/bin/$name "\$@"
SH
  done
}

write_env() {
  cat >"$DIR/env.sh" <<SH
export ROCM_PATH=$USR HIP_PATH=$USR HIP_PLATFORM=amd HIP_BUILD_ARCH=\${HIP_BUILD_ARCH:-gfx90a}
export LD_LIBRARY_PATH=$USR/lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH} PATH=$USR/bin:\$PATH
# With a card CMake would find ROCm's clang and the chip by itself.
export CMAKE_PREFIX_PATH=$USR\${CMAKE_PREFIX_PATH:+:\$CMAKE_PREFIX_PATH} HIPCXX=$USR/bin/amdclang++
SH
}

install_build_packages
if [ "$(cat "$DIR/.complete" 2>/dev/null)" = "$WANTED" ] && [ -e "$USR/lib/libamdhip64.so" ]; then
  echo "link.sh: $DIR is complete already"
  exit 0
fi
rm -rf "$USR" "$REAL" "$DIR/.complete"
# The same files under two names where that is possible; nothing of ROCM_DIR is written to.
cp -al "$ROCM" "$USR" 2>/dev/null || { rm -rf "$USR" && cp -a "$ROCM" "$USR"; }
unpack
python3 "$here/stubs.py" "$USR" "$REAL" "$LLVM" >"$DIR/stubs.txt"
lay_out
write_programs
write_env
echo "$WANTED" >"$DIR/.complete"
echo "link.sh: $(wc -l <"$DIR/stubs.txt") libraries ($DIR/stubs.txt); . $DIR/env.sh"
