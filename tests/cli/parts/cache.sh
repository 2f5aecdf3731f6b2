# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: Apache-2.0
# The cache of searches: what is found there, what is not, and what is spoilt; run.sh sources it.

unset SWP_NO_CACHE
export XDG_CACHE_HOME=$scratch/cache
loop=kernels/attention_ws.yaml

kept() {
    find "$XDG_CACHE_HOME" -type f 2>/dev/null | wc -l
}

# One search for all subcommands, and the same said by each.
for words in 'compile' 'compile --full' 'verify' 'simulate' 'emit --format c'; do
    read -ra command <<<"$words"
    expect 0 "${command[@]}" "$loop" --no-cache
    cp "$out" "$scratch/searched"
    cp "$err" "$scratch/told"
    [ "$words" = compile ] && holds 'no file is kept with --no-cache' test "$(kept)" -eq 0
    expect 0 "${command[@]}" "$loop"
    same "$words that searches" "$scratch/searched" "$out"
    expect 0 "${command[@]}" "$loop"
    same "$words that finds a search" "$scratch/searched" "$out"
    same "$words: warnings" "$scratch/told" "$err"
    holds "$words: one search is kept" test "$(kept)" -eq 1
done

# What is kept is what is told: the count of problems that were solved.
file=$(find "$XDG_CACHE_HOME" -type f)
cp "$file" "$scratch/whole"
expect 0 compile "$loop" --full
solved=$(sed -n 's/^search *\([0-9]*\) problem.*/\1/p' "$out")
holds 'a search has solved something' test "$solved" -gt 0

# Another setting, limit, target or name of the text is another search; the clock and the environment keep none.
expect 0 compile "$loop" --work-limit 5s
holds 'another limit is another search' test "$(kept)" -eq 2
expect 0 compile "$loop" --target h200
holds 'another target is another search' test "$(kept)" -eq 3
(cat "$loop" && echo '# more') >"$scratch/more.yaml"
expect 0 compile "$scratch/more.yaml"
holds 'another text is another search' test "$(kept)" -eq 4
expect 0 compile "$loop" --work-limit 6s --no-cache
expect 0 compile "$loop" --time-limit 60
SWP_NO_CACHE=1 expect 0 compile "$loop" --work-limit 7s
holds 'nothing else is kept' test "$(kept)" -eq 4

# A file that is spoilt anywhere is not taken, and then mended.
expect 0 compile "$loop" --full --no-cache
cp "$out" "$scratch/searched"
size=$(wc -c <"$scratch/whole")
for at in 1 $((size / 2)) $((size - 40)) $((size - 2)); do
    { head -c "$at" "$scratch/whole" && printf '#' && tail -c +$((at + 2)) "$scratch/whole"; } >"$file"
    expect 0 compile "$loop" --full
    same "spoilt at byte $at" "$scratch/searched" "$out"
    same "mended at byte $at" "$scratch/whole" "$file"
    head -c "$at" "$scratch/whole" >"$file"
    expect 0 compile "$loop" --full
    same "cut at byte $at" "$scratch/searched" "$out"
done

# Several at a time: each has the whole answer, and no file beside is left.
rm -r "$XDG_CACHE_HOME"
for i in 1 2 3 4; do
    "$SWP" compile "$loop" --full >"$scratch/parallel.$i" 2>/dev/null &
done
wait
for i in 1 2 3 4; do
    same "of several at a time, $i" "$scratch/searched" "$scratch/parallel.$i"
done
holds 'they keep one file' test "$(kept)" -eq 1

# A folder that cannot be made is none.
XDG_CACHE_HOME=/dev/null expect 0 compile "$loop"
