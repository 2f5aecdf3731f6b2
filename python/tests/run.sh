#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP=COMMAND python/tests/run.sh
# Tests the Python package of the build folder that the command is in: types, doctests, the manual's examples, tests.
set -euo pipefail
cd "$(dirname "$0")/../.."

skip() {
    echo "python: skipped: $1"
    exit 77
}

SWP=$(realpath "${SWP:?names the command under test}")
export SWP
PYTHONPATH=$(dirname "$SWP")/python
export PYTHONPATH PYTHONDONTWRITEBYTECODE=1
[ -e "$PYTHONPATH/swp/libswp.so" ] || skip "no package in $PYTHONPATH: it is built where python3 has pycparser"

# The system's, not one that comes first in PATH and has nothing installed.
for python in "${PYTHON:-python3}" /usr/bin/python3; do
    "$python" -c 'import pytest' 2>/dev/null && break
    python=
done
[ -n "$python" ] || skip "python3 has no pytest: apt-get install python3-pytest"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || skip "$("$python" --version) is older than 3.10"

if command -v mypy >/dev/null; then
    MYPYPATH=$PYTHONPATH mypy --strict --no-error-summary --cache-dir=/dev/null "$PYTHONPATH/swp" python/tests/*.py
else
    echo "python: no mypy: types are not checked (apt-get install mypy)"
fi
"$python" -m pytest --quiet --doctest-modules "$PYTHONPATH/swp" python/tests
