#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP=COMMAND [SWP_FULL=1] [SWP_KERNELS_PYTHON=PYTHON] python/tests/kernels.sh
# Runs the tests that examples/ci/pytest shows: kernels in Triton, CuTe DSL and TileLang, compiled without a GPU and audited. They run in
# the Python that is named, with those of the three that it has. A campaign installs all three: they take 6 GB, and come from a package index.
set -euo pipefail
cd "$(dirname "$0")/../.."

skip() {
    echo "python.kernels: skipped: $1"
    exit 77
}

PYTHONPATH=$(dirname "$(realpath "${SWP:?names the command under test}")")/python
export PYTHONPATH PYTHONDONTWRITEBYTECODE=1
[ -e "$PYTHONPATH/swp/libswp.so" ] || skip "no package in $PYTHONPATH: it is built where python3 has pycparser"
[ -n "${SWP_FULL:-}${SWP_KERNELS_PYTHON:-}" ] || skip "it needs 6 GB of packages; make campaign installs them"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python=${SWP_KERNELS_PYTHON:-$scratch/venv/bin/python}
if [ -z "${SWP_KERNELS_PYTHON:-}" ]; then
    python3 -m venv "$scratch/venv"
    "$python" -m pip install --quiet pytest triton nvidia-cutlass-dsl tilelang
fi
cp -r examples/ci/pytest "$scratch/tests"
cd "$scratch/tests"
none_ran=5 # pytest's status where every module is left out
status=0
"$python" -m pytest --quiet -rs -p no:cacheprovider . || status=$?
[ "$status" -ne "$none_ran" ] || skip "$python has none of triton, nvidia-cutlass-dsl and tilelang"
exit "$status"
