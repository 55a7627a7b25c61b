#!/usr/bin/env bash
# setup.sh DIR: an environment with Numba, whose simulator runs programs for CUDA without a GPU. 250 MB, a minute.
exec bash "$(dirname "$0")/../common/python-env.sh" "${1:?usage: setup.sh DIR}" numba==0.61.2
