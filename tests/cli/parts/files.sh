# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# Outputs that would replace an input or another output, by whatever name; run.sh sources it.

mkdir -p "$scratch/f/sub"
f=$scratch/f
cp tests/problems/loop.json "$f/problem.json"
"$SWP" new k >"$f/k.yaml"
"$SWP" compile pingpong --format json >"$f/s.json"
"$SWP" verify fourwave --counterexample "$f/cex.json" >"$out" || true
"$SWP" solve tests/problems/loop.json --format json -o "$f/answer.json" --certificate "$f/proof" >"$out"
printf 's_endpgm\n' >"$f/a.s"
ln -s sub "$f/link"
ln -s "$f" "$f/sub/up"
for input in problem.json k.yaml s.json cex.json answer.json proof a.s; do
    ln "$f/$input" "$f/sub/hard.$input"
    ln -s "../$input" "$f/sub/soft.$input"
done
before=$(cat "$f"/*.* "$f/proof" | cksum)

# one_file INPUT WORD...: each spelling of INPUT is refused as the last option's value
one_file() {
    local input=$1 spelling
    shift
    for spelling in "$f/$input" "$f/./$input" "$f/sub/../$input" "$f/link/up/$input" \
        "$f/sub/hard.$input" "$f/sub/soft.$input"; do
        expect 2 "$@" "$spelling"
        warns 'E0903.*would replace the input'
    done
}
for subcommand in compile verify run simulate explain 'emit --format text'; do
    # shellcheck disable=SC2086
    one_file k.yaml $subcommand "$f/k.yaml" -o
    # shellcheck disable=SC2086
    one_file s.json $subcommand "$f/s.json" -o
done
one_file k.yaml diff "$f/k.yaml" pingpong -o
one_file s.json diff pingpong "$f/s.json" -o
one_file a.s audit "$f/a.s" -o
one_file k.yaml audit "$f/a.s" --schedule "$f/k.yaml" -o
one_file cex.json run fourwave --replay "$f/cex.json" -o
one_file problem.json solve "$f/problem.json" -o
one_file problem.json solve "$f/problem.json" --certificate
one_file k.yaml compile "$f/k.yaml" --certificate
one_file s.json verify "$f/s.json" --counterexample
one_file problem.json check-certificate "$f/problem.json" "$f/answer.json" "$f/proof" -o
one_file answer.json check-certificate "$f/problem.json" "$f/answer.json" "$f/proof" -o
one_file proof check-certificate "$f/problem.json" "$f/answer.json" "$f/proof" -o
# Neither what is there nor what is not there yet is written twice.
for spelling in "$f/new" "$f/./new" "$f/sub/../new" "$f/link/up/new"; do
    expect 2 solve "$f/problem.json" -o "$f/new" --certificate "$spelling"
    warns 'E0903.*would replace the output'
    expect 2 verify fourwave -o "$f/new" --counterexample "$spelling"
    warns 'E0903.*would replace the output'
done
(cd "$f" && "$SWP" solve problem.json -o new --certificate ./new) >"$out" 2>"$err" || true
warns 'E0903.*would replace the output'
for spelling in - /dev/stdout; do
    "$SWP" solve "$f/problem.json" --certificate "$spelling" 2>"$err" | cat >"$out"
    warns 'E0903.*stand amid the output'
    "$SWP" solve "$f/problem.json" -o /dev/stdout --certificate "$spelling" 2>"$err" | cat >"$out"
    warns 'E0903.*stand amid the output'
done
expect 2 compile stencil --certificate "$out"
warns 'E0903.*would replace the output'
checks=$((checks + 1))
if "$SWP" compile - -o "$f/k.yaml" <"$f/k.yaml" >"$out" 2>"$err"; then
    fail 'standard input was written over'
fi
warns 'E0903.*would replace the input'
# Standard input is there once.
for words in 'diff - -' 'run - --replay -' 'audit - --schedule -' 'check-certificate - x -' 'diff - /dev/stdin'; do
    # shellcheck disable=SC2086
    "$SWP" $words < <(cat "$f/s.json") >"$out" 2>"$err" || true
    warns 'E0905.*standard input is named twice'
done
holds 'every input is as it was' test "$before" = "$(cat "$f"/*.* "$f/proof" | cksum)"
holds 'nothing was written' test ! -e "$f/new"
# What is no loss is taken: an input twice, nothing twice, a built-in of the output's name, files apart.
expect 0 diff "$f/s.json" "$f/s.json"
expect 0 solve "$f/problem.json" -o /dev/null --certificate /dev/null
expect 0 solve "$f/problem.json" -o "$f/answer" --certificate "$f/certificate"
(cd "$f" && "$SWP" compile pingpong -o pingpong && "$SWP" new new.yaml -o new.yaml && "$SWP" new new.yaml -o new.yaml) ||
    fail 'a name was taken for an input'
