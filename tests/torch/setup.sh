#!/usr/bin/env bash
# setup.sh DIR: what a ROCm build of PyTorch would give an extension to compile against, without PyTorch for ROCm:
#   DIR/include  the headers of the wheel, put through PyTorch's own hipify the way its tools/amd_build/build_amd.py does
#   DIR/cuda     the headers below torch/ as they were: in front of DIR/include they make it that of PyTorch for CUDA
#   DIR/python   torch/utils/{hipify,cpp_extension.py}: the hipify and the flags that `pip install .` uses on ROCm
#   DIR/2.11.0   torch/utils/hipify again, as tests/torch/renames.py reads it
# The macOS wheel is taken since it is the smallest that has ATen/cuda and c10/cuda. Nothing is installed. Half a minute, 100 MB.
# Which index is asked is pip's own configuration. A second call finds DIR complete and returns at once.
set -euo pipefail
VERSION=2.11.0
DIR=$(mkdir -p "${1:?usage: setup.sh DIR}" && cd "$1" && pwd)
if [ "$(cat "$DIR/.complete" 2>/dev/null)" = "$VERSION" ]; then
  echo "setup.sh: $DIR is complete already"
  exit 0
fi
# The headers of extensions include Python's.
if [ ! -e "$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ] && [ "$(id -u)" = 0 ]; then
  apt-get -q update >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends python3-dev python3-pip >/dev/null
fi
W=$DIR/.wheel; rm -rf "$W" "$DIR/include" "$DIR/python"; mkdir -p "$W"
P=(); for m in 11 12 13 14 15; do P+=(--platform "macosx_${m}_0_arm64"); done
python3 -m pip download -q --no-deps --only-binary=:all: --python-version 3.11 "${P[@]}" -d "$W" "torch==$VERSION"
python3 - "$W" "$DIR" <<'PY'
import glob, os, shutil, sys, zipfile
wheel, out = sys.argv[1:]
z = zipfile.ZipFile(glob.glob(wheel + '/*.whl')[0])
keep = [n for n in z.namelist() if n.startswith(('torch/include/', 'torch/utils/hipify/')) or n in ('torch/utils/cpp_extension.py', 'torch/version.py')]
z.extractall(wheel, keep)
shutil.move(wheel + '/torch/include', out + '/include')
shutil.move(wheel + '/torch', out + '/python')
inc = out + '/include'
shutil.copytree(inc + '/torch', out + '/cuda/torch', dirs_exist_ok=True)    # in front of `include` these make the headers CUDA's again
sys.path.insert(0, out + '/python/utils')
from hipify import hipify_python as h                  # as build_amd.py calls it: ATen and c10/cuda beside the original, torch/ in place
h.hipify(project_directory=inc, output_directory=inc, extensions=('.cuh', '.h', '.hpp', '.cpp', '.cu'), show_progress=False,
         includes=[inc + p for p in ('/ATen/*cuda*', '/ATen/cudnn/*', '/c10/cuda/*', '/torch/*')], ignores=[inc + '/ATen/core/*', '*/hip/*'])
new = lambda p, t: (os.makedirs(os.path.dirname(inc + p), exist_ok=True), os.path.exists(inc + p) or open(inc + p, 'w').write(t))
for v in 'cuda', 'hip': new(f'/c10/{v}/impl/{v}_cmake_macros.h', f'#pragma once\n#define C10_{v.upper()}_BUILD_SHARED_LIBS\n')      # these two are written by PyTorch's CMake
new('/THH/THHAtomics.cuh', '#pragma once\n#include <ATen/hip/Atomic.cuh>\n')        # in the Linux wheels as THC/THCAtomics.cuh, not in macOS's
for f in '/ATen/hip/HIPConfig.h', '/ATen/cuda/CUDAConfig.h':
    new(f, '#pragma once\n#define AT_CUDNN_ENABLED() 0\n#define AT_CUSPARSELT_ENABLED() 0\n#define AT_HIPSPARSELT_ENABLED() 0\n'
    '#define AT_ROCM_ENABLED() 1\n#define AT_MAGMA_ENABLED() 0\n#define AT_MAGMA_VERSION 0\n#define NVCC_FLAGS_EXTRA ""\n')
print('torch', os.path.basename(z.filename).split('-')[1], 'hipify', h.__dict__.get('__version__', ''), len(glob.glob(inc + '/*/hip/**/*.*', recursive=True)), 'hip headers')
PY
rm -rf "$W"
mkdir -p "$DIR/$VERSION/torch/utils"
cp -r "$DIR/python/utils/hipify" "$DIR/$VERSION/torch/utils/"
echo "$VERSION" > "$DIR/.complete"
echo "setup.sh: export CASS_TORCH=$DIR"
: "T=$DIR  # -I\$T/include -I\$T/include/torch/csrc/api/include"
