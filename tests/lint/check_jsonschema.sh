#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP_FULL=1 SWP=path/to/swp tests/lint/check_jsonschema.sh
# Asks check-jsonschema, which editors and hooks use, what it makes of the schemas: all descriptions that users start from, what
# `swp new` writes, and all schedules and problems that swp reads are valid; what is spoilt is not. It comes from PyPI, so this is part of `make campaign` alone.
set -euo pipefail
cd "$(dirname "$0")/../.."

skip() {
    echo "check_jsonschema: skipped: $1"
    exit 77
}

[ -n "${SWP_FULL:-}" ] || skip "it is installed from PyPI; make campaign runs it"
SWP=$(realpath "${SWP:?names the command under test}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
/usr/bin/env python3 -m venv "$scratch/environment" || skip "python3 has no venv: apt-get install python3-venv"
"$scratch/environment/bin/pip" --quiet install check-jsonschema || skip "no package index can be reached"
check=$scratch/environment/bin/check-jsonschema

mkdir "$scratch/description" "$scratch/schedule" "$scratch/problem" "$scratch/target"
for target in $("$SWP" list targets | cut -d' ' -f1); do
    "$SWP" list targets --format yaml --target "$target" >"$scratch/target/$target.yaml"
done
for builtin in $("$SWP" list builtins | cut -d' ' -f1); do
    "$SWP" compile "$builtin" --format json --work-limit 100 -o "$scratch/schedule/$builtin.json" 2>/dev/null || [ $? = 3 ]
    "$SWP" new mine --from "$builtin" -o "$scratch/description/$builtin.yaml"
done
"$SWP" new mine --from loop -o "$scratch/description/loop.yaml"
"$SWP" new mine --from body -o "$scratch/description/body.yaml"
# tests/ has descriptions that are no YAML to others, which tests/lint/schemas.py reads as swp does.
cp targets/*.yaml "$scratch/target"
git ls-files -z '*.yaml' ':!tests' ':!targets' ':!*_space.yaml' | xargs -0 cp --parents -t "$scratch/description"
for file in $(git ls-files 'tests/*.json' ':!tests/bad_input' ':!tests/fuzz'); do
    name=$(tr / _ <<<"$file")
    status=0
    if grep -q '"resources"' "$file" && grep -q '"problem"' "$file"; then
        "$SWP" solve "$file" --work-limit 1 >/dev/null 2>&1 || status=$?
        [ $status = 2 ] || cp "$file" "$scratch/problem/$name"
    else
        "$SWP" emit "$file" --format json >/dev/null 2>&1 || status=$?
        [ $status = 2 ] || cp "$file" "$scratch/schedule/$name"
    fi
done

status=0
for name in description schedule problem target; do
    "$SWP" schema $name -o "$scratch/$name.schema.json"
    "$check" --check-metaschema "$scratch/$name.schema.json" >/dev/null || status=1
    mapfile -d '' files < <(find "$scratch/$name" -type f -print0)
    "$check" --schemafile "$scratch/$name.schema.json" "${files[@]}" || status=1
    count=${#files[@]}
    [ "$count" -gt 1 ] || { echo "check_jsonschema: only $count of $name" && status=1; }
    echo "check_jsonschema: $count of $name"
done
sed 's/^name:/nmae:/' "$scratch/description/loop.yaml" >"$scratch/spoilt.yaml"
! "$check" --schemafile "$scratch/description.schema.json" "$scratch/spoilt.yaml" >/dev/null || {
    echo "check_jsonschema: takes a key that is none"
    status=1
}
exit $status
