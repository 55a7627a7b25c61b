#!/usr/bin/env bash
# setup.sh DIR: an environment with Triton's stock wheel, which has AMD's compiler in it. 250 MB, a minute. Triton builds a launcher only
# for a GPU that is there: nothing else is needed.
exec bash "$(dirname "$0")/../common/python-env.sh" "${1:?usage: setup.sh DIR}" triton==3.6.0
