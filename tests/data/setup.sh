#!/usr/bin/env bash
# setup.sh DIR: an environment with PySpark and Ray Data, for local mode. PySpark needs a Java that is there. 1.5 GB, some minutes.
exec bash "$(dirname "$0")/../common/python-env.sh" "${1:?usage: setup.sh DIR}" pyspark==3.5.7 pandas pyarrow "ray[data]"
