#!/usr/bin/env bash
# hip.sh ROCM_DIR DIR: numba-hip with all that it needs of ROCm, on a Debian machine without a GPU and without ROCm.
#
#   DIR/python FILE ARGS   runs a program with numba-hip; emulated.py gives it an emulated GPU
#
# ROCM_DIR is what tests/rocm/setup.sh filled (headers). To it come
#   numba-hip     AMD's packages for Python, unchanged
#   compiler      AMD's compiler as a library (libamd-comgr), libclang and device bitcode of one LLVM, of $CASS_ROCM_SUITE (sid),
#                 unpacked, never installed, and run by the C library of that release
#   zlib, zstd    under the names that the LLVM of the packages asks for: what stands there hands calls on to the real ones
# The library of HIP's runtime is the emulator's, $HIP_EMULATOR/lib, when a program runs. Half a minute, 750 MB; a second call returns at once.
set -euo pipefail

SUITE=${CASS_ROCM_SUITE:-sid}
PACKAGES=(numba==0.61.2 numba-hip==0.2.1 hip-python-interop==10.0.0.0.1.2 rocm-bindings-core==10.0.0.0.1.2
  rocm-bindings-hip==10.0.0.0.1.2 rocm-bindings-compiler==10.0.0.0.1.2 rocm-bindings-systems==10.0.0.0.1.2)

die() { echo "hip.sh: $*" >&2; exit 1; }
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../rocm/apt.sh"
[ $# = 2 ] || die "usage: hip.sh ROCM_DIR DIR"
INCLUDE=$(cd "$1/usr/include" && pwd) || die "no HIP headers in $1; run tests/rocm/setup.sh $1 first"
DIR=$(mkdir -p "$2" && cd "$2" && pwd)
APT=$DIR/.apt
LIB=$DIR/root/usr/lib/x86_64-linux-gnu
WANTED="1 $SUITE ${PACKAGES[*]}"
if [ "$(cat "$DIR/.complete" 2>/dev/null)" = "$WANTED" ]; then
  echo "hip.sh: $DIR is complete already"
  exit 0
fi

# What packages of the release need, and what that needs in turn.
needed() {
  apt-cache "${APT_OPTIONS[@]}" depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances "$@" |
    grep '^[a-z0-9]' | sort -u
}

unpack() {
  local llvm deb
  prepare_apt "$SUITE"
  llvm=$(apt-cache "${APT_OPTIONS[@]}" depends libamd-comgr3 | sed -n 's/.*Depends: libllvm//p' | head -1)
  [ -n "$llvm" ] || die "libamd-comgr3 of $SUITE names no LLVM"
  download $(needed libamd-comgr3 "libclang1-$llvm" "rocm-device-libs-$llvm" libhiprtc-builtins6 | sed "s|\$|/$SUITE|")
  for deb in "$APT"/debs/*.deb; do dpkg -x "$deb" "$DIR/root"; done
  rm -rf "$APT"
  mkdir -p "$DIR/rocm/lib"
  ln -sfn "$INCLUDE" "$DIR/rocm/include"
  ln -sfn "$DIR/root/usr/lib/llvm-$llvm" "$DIR/rocm/llvm"
  ln -sfn "$LIB/libamd_comgr.so.3" "$DIR/rocm/lib/libamd_comgr.so"
  ln -sfn "$LIB/libclang-$llvm.so.1" "$DIR/rocm/lib/libclang.so"
  ln -sfn "$LIB/libhiprtc-builtins.so.6" "$DIR/rocm/lib/libhiprtc-builtins.so"
}

# hands_on NAME LIBRARY FUNCTION...: DIR/rocm/lib/NAME, whose functions are those of LIBRARY. None has more than six arguments.
hands_on() {
  local name=$1 library=$2 function
  shift 2
  {
    echo '#include <dlfcn.h>'
    for function in "$@"; do
      cat <<C
long $function(long a, long b, long c, long d, long e, long f) {
  static long (*real)(long, long, long, long, long, long);
  if (!real) real = (long (*)(long, long, long, long, long, long))dlsym(dlopen("$library", RTLD_NOW), "$function");
  return real(a, b, c, d, e, f);
}
C
    done
  } >"$DIR/hands_on.c"
  echo 'AMDROCM_SYSDEPS_1.0 { global: *; };' >"$DIR/hands_on.map"
  cc -w -fno-builtin -shared -fPIC -Wl,--version-script="$DIR/hands_on.map" -Wl,-soname,"$name" -o "$DIR/rocm/lib/$name" "$DIR/hands_on.c"
  rm "$DIR"/hands_on.*
}

write_python() {
  cat >"$DIR/python" <<P
#!/usr/bin/env bash
# Python with numba-hip, run by the C library of the release that its libraries are of. Made by tests/numba/hip.sh.
export ROCM_PATH=$DIR/rocm NUMBA_HIP_LIBCLANG_FILE=$DIR/rocm/lib/libclang.so
export HIP_EMULATOR_LLVM=\$(echo $DIR/env/lib/python3*/site-packages/rocm/bindings/llvm/libLLVM.so)
exec $LIB/ld-linux-x86-64.so.2 --library-path "$DIR/rocm/lib:\${HIP_EMULATOR:-/opt/rocm}/lib:$LIB:/usr/local/lib:/usr/lib/x86_64-linux-gnu" $DIR/env/bin/python "\$@"
P
  chmod +x "$DIR/python"
}

bash "$here/../common/python-env.sh" "$DIR/env" "${PACKAGES[@]}"
unpack
hands_on librocm_sysdeps_z.so.1 libz.so.1 compress2 compressBound crc32 uncompress
hands_on librocm_sysdeps_zstd.so.1 libzstd.so.1 ZSTD_{CCtx_setParameter,compress2,compressBound,createCCtx,decompress,freeCCtx,getErrorName,isError}
write_python
"$DIR/python" -c 'import rocm.bindings.llvm.c.core' || die "the compiler of the packages does not load"
echo "$WANTED" >"$DIR/.complete"
