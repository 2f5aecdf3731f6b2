# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# Typical mistakes, and what their messages have to say; run.sh sources it.
#
# Each is one error, with the place where it is made, and a hint or words that name what to do. MISTAKES names a file that all commands and
# messages are written to, to be read aloud.

[ -z "${MISTAKES:-}" ] || : >"$MISTAKES"
cd "$scratch" || exit 1
number=0

# mistake 'WORD...' PATTERN...: status 2, one error, no longer than a screen, with each PATTERN somewhere
mistake() {
    local command=$1 status=0
    shift
    number=$((number + 1))
    checks=$((checks + 1))
    eval "\"$SWP\" $command" >"$out" 2>"$err" </dev/null || status=$?
    [ -z "${MISTAKES:-}" ] || { printf '### %s\n$ swp %s\n' "$number" "$command" && cat "$err" && printf -- '-> %s\n' "$status"; } >>"$MISTAKES"
    [ "$status" -eq 2 ] || fail "swp $command" "exit status $status, wanted 2"
    local said
    said=$(grep -c 'error\[' "$err")
    [ "$said" -eq 1 ] || fail "swp $command" "$said errors, wanted 1"
    [ "$(wc -c <"$err")" -le 1200 ] || fail "swp $command" 'more than a screen of messages'
    local pattern
    for pattern; do
        checks=$((checks + 1))
        grep -q -- "$pattern" "$err" || fail "swp $command" "the message has no \`$pattern\`"
    done
}

# edited NEW OLD SED: a file with a mistake in it
edited() {
    sed "$3" "$2" >"$1"
    ! cmp -s "$1" "$2" || fail "$1" 'the edit changes nothing'
}

expect 0 new loop --from loop -o loop.yaml
expect 0 new gemm --from gemm_ws -o gemm.yaml
expect 0 compile gemm_ws --format json -o gemm.json
expect 0 list targets --target sm_90 --format yaml
cp "$out" target.yaml
cp "$top/tests/problems/loop.json" problem.json
cp "$top/tests/certificates/loop.proof" "$top/tests/certificates/loop.answer.json" .
printf 'swp: 1\ndescription: gemm.yaml\nset: {variables.bn: [128]}\n' >space.yaml

# --- The command line ---
mistake '' 'no subcommand' 'swp help'
mistake 'gemm_ws' 'no subcommand `gemm_ws`' '`swp compile gemm_ws`'
mistake 'gemm.yaml' '`swp compile gemm.yaml`'
mistake 'kernel.ptx' '`swp audit kernel.ptx`'
mistake '"two words.yaml"' "\`swp compile 'two words.yaml'\`"
mistake 'gemm.json' '`swp verify gemm.json`'
mistake 'README.md' '`swp help` shows them all'
mistake 'compile "$top/examples/audit/race.ptx"' 'is assembly by its name' '`swp audit` reads assembly'
mistake 'complie gemm_ws' 'did you mean `compile`?'
mistake '-v' '--version (-V)'
mistake 'compile -V' '`swp -V` prints the version'
mistake 'compile gemm_wss' 'did you mean `gemm_ws`?'
mistake 'compile gemm_ws --formt json' 'did you mean `--format`?'
mistake 'compile gemm_ws --format jsn' 'did you mean `json`?'
mistake 'compile gemm_ws --target sm_89' 'no target `sm_89`' 'runs what is made for `sm_80`' 'mi355x, mi300x, sm_80, sm_90' '--target FILE.yaml'
mistake 'compile gemm_ws --target sm_80a' 'no target `sm_80a`' 'runs what is made for `sm_80`'
mistake 'compile gemm_ws --target sm_75' 'no target `sm_75`' 'lacks cp.async'
mistake 'compile gemm_ws --set schedule.schedulling=csp' 'did you mean `schedule.scheduling`?'
mistake 'compile nowhere.yaml' 'cannot read nowhere.yaml' 'swp list builtins'
mistake 'compile gemm.yaml loop.yaml' 'one argument too many'
mistake 'list foo' 'no table `foo`' 'builtins targets strategies formats settings diagnostics'

# --- Files of another kind ---
mistake 'solve gemm.yaml' '^gemm.yaml:1:1: ' 'this is no JSON' '`swp compile`'
mistake 'compile problem.json' '^problem.json:1:1: ' 'a scheduling problem, not a schedule' '`swp solve FILE`'
mistake 'solve gemm.json' '^gemm.json:1:1: ' 'a schedule, not a scheduling problem' '`swp verify FILE`'
mistake 'verify loop.proof' '^loop.proof:1:1: ' 'a certificate, not a schedule' 'check-certificate'
printf '\n  gemm: 1\n' >blank.json
mistake 'solve blank.json' '^blank.json:2:3: ' 'this is no JSON'
mistake 'compile target.yaml' 'a target, not a description' '--target FILE'
mistake 'compile space.yaml' 'a space of variants, not a description' '`swp tune FILE`'
mistake 'verify loop.answer.json' 'an answer to a scheduling problem, not a schedule' 'check-certificate'

# --- A description ---
edited no_version.yaml gemm.yaml '/^swp:/d'
mistake 'compile no_version.yaml' 'needs the key `swp`' 'write `swp: 1`'
edited space_word.yaml gemm.yaml 's/space: shared, bytes: "${bm \* bk/space: sram, bytes: "${bm * bk/'
mistake 'compile space_word.yaml' '^space_word.yaml:[0-9]*:[0-9]*: ' '`sram`' 'one of shared'
edited kib.yaml gemm.yaml 's/staged: 32768/staged: 32KiB/'
mistake 'compile kib.yaml' '^kib.yaml:[0-9]*:11: ' 'write 32768 for 32KiB'
edited target_name.yaml gemm.yaml 's/^target: .*/target: sm_89/'
mistake 'compile target_name.yaml' '^target_name.yaml:[0-9]*:9: ' 'runs what is made for `sm_80`'
edited key.yaml gemm.yaml 's/shared_bytes:/shared_byte:/'
mistake 'compile key.yaml' 'has no key `shared_byte`' 'did you mean `shared_bytes`?'
edited read_name.yaml gemm.yaml 's/reads: \[A, B\]/reads: [A, BB]/'
mistake 'compile read_name.yaml' '`BB`' '^read_name.yaml:[0-9]*:'
edited tab.yaml gemm.yaml "s/^  roles:/\\troles:/"
mistake 'compile tab.yaml' '^tab.yaml:[0-9]*:1: ' 'E0101'
cat >order.yaml <<'YAML'
swp: 1
costs:
  LOAD: {role: global_load, latency: 200}
  FRAG: {role: fragment_load, latency: 20}
  MMA: {role: compute, latency: 16}
body:
  - {op: LOAD, channel: 0, stage: 1, k_offset: k0}
  - {op: FRAG, channel: 0, stage: 0}
  - {op: MMA}
  - {op: LOAD, channel: 0, stage: 0, k_offset: k1}
  - {op: FRAG, channel: 0, stage: 1}
  - {op: MMA}
pipeline: {m_mmas: 1, n_mmas: 1}
schedule: {sync: derived}
YAML
mistake 'compile order.yaml' '^order.yaml:6:1: error.E0730' 'FRAG' 'change the order'

# --- JSON ---
edited object.json gemm.json 's/"name": "full_A_B", "kind"/"name": "ful_A_B", "kind"/'
mistake 'verify object.json' '^object.json:[0-9]*:[0-9]*: ' 'has no `full_A_B`; likewise [0-9]* other places' 'did you mean `ful_A_B`?' '\^$'
edited op.json gemm.json 's/"op": "MMA"/"op": "MMAA"/'
mistake 'verify op.json' '^op.json:[0-9]*:[0-9]*: ' 'tag 1 is `MMA` here, but `MMAA` before; likewise' '`dataflow`, which names them'
edited objects.json gemm.json 's/"sync_objects"/"sync_object"/'
mistake 'verify objects.json' '^objects.json:[0-9]*:3: ' 'did you mean `sync_objects`?' '"sync_object": \['
edited kernel.json gemm.json '0,/"kernel":/s//"kernal":/'
mistake 'verify kernel.json' 'roles\[0\].kernal: ' 'did you mean `kernel`?'
edited string.json gemm.json '0,/"slots": 3/s//"slots": "3"/'
mistake 'verify string.json' 'must be an integer, but is a string' 'without quotes'
edited missing.json gemm.json '0,/"warps": 1, /s///'
mistake 'verify missing.json' '^missing.json:[0-9]*:5: ' 'roles\[0\].warps: is missing' 'swp schema schedule'
edited comma.json gemm.json '0,/"target": "sm_90",/s//"target": "sm_90"/'
mistake 'verify comma.json' '^comma.json:5:[0-9]*: ' 'a comma between two members'
edited resource.json problem.json 's/"resource": "fma"/"resource": "fam"/'
mistake 'solve resource.json' '^resource.json:[0-9]*:[0-9]*: ' '`resources` has no `fam`' 'did you mean `fma`?'
edited latency.json problem.json '0,/"latency": 4/s//"latency": -4/'
mistake 'solve latency.json' '^latency.json:[0-9]*:[0-9]*: ' 'is -4, but must be 0 to'
edited key.proof loop.proof '0,/"steps"/s//"setps"/'
mistake 'check-certificate problem.json loop.answer.json key.proof' '^key.proof:1:[0-9]*: ' 'did you mean `steps`?'
edited other.json problem.json 's/"swp": 1/"swp": 2/'
mistake 'solve other.json' '^other.json:1:9: ' 'swp: is 2, but must be 1$'

# --- Tuning ---
printf 'swp: 1\ndescription: gemm.yaml\nset: {variables.bn: [128]}\nprefix: "a\\0b"\n' >nul.yaml
mistake 'tune nul.yaml' '`prefix`' 'no command can be given'
mistake 'tune gemm.yaml' 'a description, not a space of variants' '`swp compile` takes it'
cd "$top" || exit 1
