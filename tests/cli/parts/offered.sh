# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: Apache-2.0
# The commands that a summary offers: they are taken, and get the schedule that is summarised. run.sh sources it.

cd "$scratch" || exit 1
cp "$top/$hard" .
PATH=$scratch/bin:$PATH
mkdir bin
ln -s "$SWP" bin/swp

# offered GIVES: the command after these words
offered() {
    sed -n "s/^\(next\)\? *$1  *swp /swp /p" "$scratch/summary"
}

# summarises WORD...: the summary of `swp compile WORD...`
summarises() {
    expect 0 compile "$@"
    cp "$out" "$scratch/summary"
}

# gets WHAT FILE: the command of --format json, where another writes a timeline, gets what this file has
gets() {
    local command
    command=$(offered timeline)
    eval "${command/--format html -o */--format json -o got.json}" 2>"$err"
    same "$1" "$2" got.json
}

part_of_work=(hard.yaml --work-limit 60000)
expect 0 compile "${part_of_work[@]}" --format json -o part.json
summarises "${part_of_work[@]}"
gets 'a limit of nodes is offered' part.json
holds 'ten times the nodes' test "$(offered 'longer search')" = 'swp compile hard.yaml --work-limit 600000'
summarises hard.yaml --work-limit 0.00001s
says '0.0001s$'
expect 0 compile hard.yaml --work-limit 0.00001s --format json -o part.json
gets 'a limit of little work is offered' part.json
summarises hard.yaml --time-limit 0.07
says 'longer search *swp compile hard.yaml --time-limit 0.7$'
summarises hard.yaml --time-limit 0.1 --work-limit 9223372036854775808
says 'longer search *swp compile hard.yaml --time-limit 1 --work-limit 18446744073709551615$'

# What is printed is what is read.
for limit in '--work-limit 1000000s' '--work-limit 0.00001s' '--work-limit 0.1s' '--work-limit 18446744073709551615' '--time-limit 1234567.5' '--time-limit 1180591620717411303424'; do
    # shellcheck disable=SC2086
    expect 0 emit pingpong --format c $limit
    says "swp emit pingpong --format c $limit"
done
expect 2 compile pingpong --work-limit 1000000s --time-limit 1
warns '--work-limit 1000000s by the work'

# An acceptance stays with what is judged; a timeline takes none.
"$SWP" verify fourwave --format json >verdict.json
mapfile -t accepts < <(python3 - <<'PYTHON'
import json
for hazard in json.load(open("verdict.json"))["hazards"]:
    print(f"--accept {hazard['kind']}:{hazard['phase']}:{hazard['entry']}")
PYTHON
)
summarises fourwave "${accepts[0]/ /=}"
holds 'a judgement is offered with what is accepted' test "$(offered 'what is wrong')" = "swp verify fourwave ${accepts[0]}"
says 'timeline *swp emit fourwave --format html'
# shellcheck disable=SC2068
summarises fourwave ${accepts[@]}
says 'C header  *swp emit fourwave --accept .* --format c -o fourwave.h$'
checks=$((checks + 1))
eval "$(offered 'C header')" 2>"$err" || fail 'the header is refused'
cd "$top" || exit 1
