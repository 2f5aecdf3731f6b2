# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# Versions, the help of each subcommand, and the examples in it; run.sh sources it.

expect 0 --version
says '^swp [0-9]*\.[0-9]*\.[0-9]*$'
cp "$out" "$scratch/version"
expect 0 -V
same '-V is --version' "$scratch/version" "$out"
expect 0 --help
says '^Exit status:'
cp "$out" "$scratch/help"
for subcommand in $subcommands; do
    holds "the help names $subcommand" grep -q "^  $subcommand " "$scratch/help"
done
expect 0 -h
same '-h is --help' "$scratch/help" "$out"
expect 0 help
same 'help is --help' "$scratch/help" "$out"
for subcommand in $subcommands; do
    expect 0 help "$subcommand"
    says "^swp $subcommand: "
    says '^Usage:'
    says '^Examples:'
    says '^  -h, --help'
    for status in 0 1 2 3; do
        says "^  $status  "
    done
    cp "$out" "$scratch/help"
    expect 0 "$subcommand" --help
    same "$subcommand --help" "$scratch/help" "$out"
    expect 0 "$subcommand" -h
    same "$subcommand -h" "$scratch/help" "$out"
done
# narrow WHAT: the output fits 100 columns, and a line does not begin or end in odd blanks
narrow() {
    holds "$1 within 100 columns" awk 'length($0) > 100 || / $/ { exit 1 }' "$out"
}
expect 0 help
narrow 'the help'
for subcommand in $subcommands audit tune calibrate schema completion; do
    expect 0 help "$subcommand"
    narrow "the help of $subcommand"
done
for option in --set --target --format --output --time-limit --work-limit --diagnostics --color; do
    expect 0 help compile
    says " $option "
done
# Every example of every help is a command that works, but for the user's own files.
"$SWP" new my_kernel -o "$scratch/my_kernel.yaml"
cp tests/problems/loop.json "$scratch/problem.json"
tr -d '\n' <tests/problems/project.json >"$scratch/loops.jsonl"
cp tests/certificates/loop.answer.json "$scratch/answer.json"
cp tests/certificates/loop.proof "$scratch/proof"
"$SWP" compile stencil --format json -o "$scratch/stencil.json" \
    --certificate "$scratch/stencil.proof" 2>"$err"
printf '%s\n' 'swp: 1' 'description: pingpong' 'set: {schedule.sync: [template, derived]}' \
    "measure: \"test -e {header} && echo '{\\\\\"seconds\\\\\": [1]}'\"" >"$scratch/space.yaml"
"$SWP" tune "$scratch/space.yaml" --log "$scratch/space.jsonl" >"$out" 2>"$err"
for subcommand in $subcommands; do
    "$SWP" help "$subcommand" | sed -n '/^Examples:/,/^$/s/^  \(swp .*\)/\1/p'
done | sort -u >"$scratch/examples"
holds 'there are examples' test "$(wc -l <"$scratch/examples")" -ge 10
while IFS= read -r example; do
    case $example in *'dot -T'*) command -v dot >/dev/null || continue ;; esac
    checks=$((checks + 1))
    (
        cd "$scratch" && PATH=$scratch/bin:$PATH
        mkdir -p bin && ln -sf "$SWP" bin/swp
        cp pingpong.json my_kernel.yaml bin/ && eval "$example"
    ) >"$out" 2>"$err" </dev/null || fail "the help's example: $example" 'does not work'
done <"$scratch/examples"
