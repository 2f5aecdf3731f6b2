#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP_FULL=1 python/tests/wheel.sh [PYTHON...]
# Builds the wheel as `pip install .` does, installs it into fresh environments of the Pythons that are there (or of
# those named), and runs the tests with nothing else: no compiler, no package of the build folder. Takes minutes, and
# needs a package index, so it is part of `make campaign` alone.
set -euo pipefail
cd "$(dirname "$0")/../.."

skip() {
    echo "python.wheel: skipped: $1"
    exit 77
}

[ -n "${SWP_FULL:-}" ] || skip "it takes minutes; make campaign runs it"
unset SWP SWP_LIBRARY PYTHONPATH
top=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

/usr/bin/env python3 -m venv "$scratch/build" || skip "python3 has no venv: apt-get install python3-venv"
"$scratch/build/bin/pip" --quiet download --no-deps --dest "$scratch/reached" pycparser ||
    skip "no package index can be reached"
"$scratch/build/bin/pip" --quiet wheel --no-deps --wheel-dir "$scratch/wheel" .
wheel=("$scratch"/wheel/*.whl)
echo "python.wheel: $(basename "${wheel[0]}"), $(stat --format=%s "${wheel[0]}") bytes"

pythons=("$@")
if [ ${#pythons[@]} -eq 0 ]; then
    pythons=(/usr/bin/python3)
    for version in 3.{10..15}; do
        found=$(command -v "python$version") && "$found" -c '' 2>/dev/null && pythons+=("$found")
    done
fi
cd "$scratch"
for python in "${pythons[@]}"; do
    rm -rf environment
    "$python" -m venv environment
    environment/bin/pip --quiet install "${wheel[0]}" pytest
    echo "python.wheel: $("$python" --version)"
    environment/bin/python -m pytest --quiet -p no:cacheprovider --doctest-modules --pyargs swp "$top/python/tests"
    [ "$(env -i environment/bin/swp verify pingpong | cut -c1-14)" = "pingpong: safe" ]
    env -i "PATH=$scratch/environment/bin:/usr/bin" swp calibrate sm_90 -o calibration >/dev/null
    env -i "PATH=$scratch/environment/bin:/usr/bin" swp tune --help >/dev/null
done
