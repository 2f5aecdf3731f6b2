# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# How diagnostics are written, as text and as JSON; run.sh sources it.

cat >"$scratch/wrong.yaml" <<'YAML'
swp: 1
kernel: pingpong
pipelne: {max_globals: 1}
schedule:
  max_vgpr: many
  max_vgpr: 96
YAML
expect 2 compile "$scratch/wrong.yaml"
warns 'wrong.yaml:3:1: error\[E0102\]: '
warns '^    3 | pipelne: {max_globals: 1}$'
warns '^      | ^$'
warns '^  hint: .*pipeline'
holds 'all errors of a file are reported' test "$(grep -c 'error\[' "$err")" -ge 2
holds 'no colour in a file' test -z "$(grep $'\033' "$err")"
expect 2 compile "$scratch/wrong.yaml" --color always
warns $'\033\\['
# Verdicts of reports likewise, on standard output alone.
expect 0 compile gemm_ws --color always
says $'^proof      \033\\[1;32msafe\033\\[0m for every'
judged 1 fourwave --color always
says $'hazard\\[overwritten\\]:\033\\[0m'
expect 0 run pingpong --seeds 1 --color=always
says $'\033\\[1;32m0 of 6 runs went wrong\033\\[0m$'
"$SWP" audit "$top/examples/audit/race.ptx" --color always >"$out" 2>"$err" || true
says $'fault\\[overwritten\\]:\033\\[0m'
for when in auto never; do
    expect 0 compile gemm_ws --color $when
    holds "no colour in a pipe, $when" test -z "$(grep $'\033' "$out")"
done
expect 0 compile gemm_ws --color always -o "$scratch/plain"
holds 'no colour in what -o writes' test -z "$(grep $'\033' "$scratch/plain")"
expect 0 compile gemm_ws --color always --format json
holds 'no colour in JSON' test -z "$(grep $'\033' "$out")"
expect 2 compile "$scratch/wrong.yaml" --diagnostics json
holds 'diagnostics are JSON lines' valid_diagnostics "$err"
hostile=$scratch/$'we"ird\\ \n\t\xff\x01.yaml'
cp "$scratch/wrong.yaml" "$hostile"
for words in "$hostile" "no such"$'\n\xff\x1b[31m' no_such_file.yaml '' -; do
    expect 2 compile "$words" --diagnostics json </dev/null
    holds "diagnostics of \`$(printf %q "$words")\` are JSON lines" valid_diagnostics "$err"
done
expect 2 compile "no such"$'\x1b[31m.yaml'
holds 'no escape of the input reaches the terminal' test -z "$(grep $'\033' "$err")"
expect 0 compile pingpong --set schedule.wait_vm_last=3 --diagnostics json
holds 'warnings are JSON lines' valid_diagnostics "$err"
warns '"severity": "warning"'
expect 0 compile pingpong --set schedule.wait_vm_last=3
warns 'warning\[W0201\]'
for words in '' '--nope' 'nope' 'compile' 'compile a b' 'emit pingpong' 'list nope' 'help nope'; do
    # shellcheck disable=SC2086
    expect 2 $words --diagnostics json
done
expect 2 compile --diagnostics=json --nope
holds 'usage errors are JSON lines' valid_diagnostics "$err"
