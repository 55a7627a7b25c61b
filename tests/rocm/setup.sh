#!/usr/bin/env bash
# setup.sh DIR: everything that compiling HIP code for AMD GPUs takes, on a Debian machine without a GPU and without ROCm.
#
#   compiler        clang 19, lld, the offload bundler, OpenMP's header   from the release that runs here (needs root, once)
#   headers         HIP and its libraries                                unpacked under DIR/usr from $CASS_ROCM_SUITE (sid)
#   device bitcode  the libraries that device code is linked with        unpacked under DIR/usr from $CASS_BITCODE_SUITE (trixie)
#
# Headers and bitcode are unpacked, never installed: packages of another release must not reach this machine's dpkg.
# The bitcode is older than the headers on purpose: clang 19 reads LLVM 17 bitcode, not the LLVM 21 bitcode of sid.
# About a minute and 150 MB; a second call finds DIR complete and returns at once. Remove DIR to start again.
set -euo pipefail

HEADER_SUITE=${CASS_ROCM_SUITE:-sid}
BITCODE_SUITE=${CASS_BITCODE_SUITE:-trixie}
COMPILER_PACKAGES=(clang-19 lld-19 llvm-19-tools clang-tools-19 libomp-19-dev)
COMPILER_PROGRAMS=(clang++-19 clang-19 ld.lld-19 clang-offload-bundler-19)
BITCODE_PACKAGES=(rocm-device-libs-17)
HEADER_PACKAGES=(
  libamdhip64-dev libhsa-runtime-dev libamd-comgr-dev libdrm-dev
  libhipblas-dev libhipblas-common-dev libhipblaslt-dev librocblas-dev
  libhipsolver-dev librocsolver-dev libhipsparse-dev librocsparse-dev
  libhipfft-dev librocfft-dev libhiprand-dev librocrand-dev
  libhipcub-dev librocprim-dev librocthrust-dev
  libmiopen-dev librccl-dev libroctx-dev librocm-smi-dev libamd-smi-dev
)
# One file of each thing the compile proof relies on: an archive that lost a package shows here, not as a strange compiler error.
EXPECTED=(
  include/hip/hip_runtime.h include/hipblas/hipblas.h include/hipblaslt/hipblaslt.h include/hipcub/hipcub.hpp
  include/hipfft/hipfft.h include/hiprand/hiprand_kernel.h include/hipsolver/hipsolver.h include/hipsparse/hipsparse.h
  include/miopen/miopen.h include/rccl/rccl.h include/roctracer/roctx.h include/thrust/device_vector.h
  lib/llvm-17/lib/clang/17/amdgcn/bitcode/ocml.bc
)

die() { echo "setup.sh: $*" >&2; exit 1; }
. "$(dirname "$0")/apt.sh"

compiler_is_here() {
  local program
  for program in "${COMPILER_PROGRAMS[@]}"; do command -v "$program" >/dev/null || return 1; done
}

install_compiler() {
  compiler_is_here && return
  [ "$(id -u)" = 0 ] || die "no clang 19 here; as root: apt-get install ${COMPILER_PACKAGES[*]}"
  apt-get -q update >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${COMPILER_PACKAGES[@]}" >/dev/null
  compiler_is_here || die "the packages ${COMPILER_PACKAGES[*]} did not bring ${COMPILER_PROGRAMS[*]}"
}

fetch_and_unpack() {
  local deb
  download "${HEADER_PACKAGES[@]/%//$HEADER_SUITE}" "${BITCODE_PACKAGES[@]/%//$BITCODE_SUITE}"
  for deb in "$APT"/debs/*.deb; do dpkg -x "$deb" "$DIR"; done
}

everything_unpacked() {
  local file
  for file in "${EXPECTED[@]}"; do [ -e "$DIR/usr/$file" ] || { echo "missing: $DIR/usr/$file" >&2; return 1; }; done
}

[ $# = 1 ] || die "usage: setup.sh DIR"
DIR=$(mkdir -p "$1" && cd "$1" && pwd)
APT=$DIR/.apt
WANTED="$HEADER_SUITE:${HEADER_PACKAGES[*]} $BITCODE_SUITE:${BITCODE_PACKAGES[*]}"

install_compiler
if [ "$(cat "$DIR/.complete" 2>/dev/null)" = "$WANTED" ] && everything_unpacked; then
  echo "setup.sh: $DIR is complete already"
  exit 0
fi
rm -f "$DIR/.complete"
prepare_apt "$HEADER_SUITE" "$BITCODE_SUITE"
fetch_and_unpack
everything_unpacked || die "the archive's packages do not hold what is needed"
(cd "$APT/debs" && for deb in *.deb; do echo "${deb%_*}"; done) >"$DIR/versions.txt"
rm -rf "$APT"
echo "$WANTED" >"$DIR/.complete"
echo "setup.sh: $(wc -l <"$DIR/versions.txt") packages in $DIR (versions.txt lists them); export CASS_ROCM=$DIR"
