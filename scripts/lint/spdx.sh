#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every source file and chapter says its licence in its first two lines. JSON has no comments, and the inputs
# and expected outputs under tests/ are data.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/lint/sources.sh

files=$(sources)
status=0
while IFS= read -r file; do
    { IFS= read -r first || true; IFS= read -r second || true; } <"$file"
    case $file in
    *.c | *.h | *.cc | *.cpp | *.py | *.sh | *.cmake | *.in | *.md | *.[1-9]) ;;
    tests/*.yaml | tests/*.yml) continue ;;
    *.yaml | *.yml | CMakeLists.txt | */CMakeLists.txt | Makefile) ;;
    *) [[ $first == '#!'* ]] || continue ;;
    esac
    if [[ $first$second != *'SPDX-License-Identifier: Apache-2.0'* ]]; then
        echo "$file: no SPDX-License-Identifier: Apache-2.0 in the first two lines"
        status=1
    fi
done <<<"$files"
exit $status
