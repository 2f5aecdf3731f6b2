# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: Apache-2.0
# `swp explain`; run.sh sources it.

# ---------------------------------------------------------------- explain

part 'explain'
for kernel in pingpong fourwave single_buffer; do
    expect 0 explain "$kernel"
    says "^$kernel: [0-9]* waits and barriers, [0-9]* of them unneeded while the others stand\$"
    says '^order of the body: '
    # Each wait and barrier of the schedule is there once, with its phase and entry.
    "$SWP" compile "$kernel" --format json -o "$scratch/explained.json" 2>"$err"
    cp "$out" "$scratch/explained.text"
    holds "explain $kernel names each wait and barrier" python3 -c 'import json, re, sys
schedule = json.load(open(sys.argv[1]))
wanted = [(p, i) for p in ("prologue", "kernel", "epilogue")
          for i, e in enumerate(schedule[p]) if e["role"] == "sync"]
rows = re.findall(r"^(prologue|kernel|epilogue) +(\d+)  ", open(sys.argv[2]).read(), re.M)
assert [(p, int(i)) for p, i in rows] == wanted, rows
' "$scratch/explained.json" "$scratch/explained.text"
    expect 0 explain "$scratch/explained.json"
    same "explain $kernel from JSON" "$scratch/explained.text" "$out"
    expect 0 explain "$kernel" --format json -o "$scratch/v/explained.json"
    holds "explain $kernel in JSON says the same" python3 -c 'import json, re, sys
told, text = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
assert list(told) == ["swp", "hazards", "sync", "order", "unexplained"], list(told)
assert told["unexplained"] is None
assert sum(not s["needs"] for s in told["sync"]) == text.count(": no dependence needs it")
kinds = "stale_read|overwritten|write_race|wrong_tile|missing_work|register_not_ready|deadlock"
assert sum(len(s["needs"]) for s in told["sync"]) == len(re.findall(rf"^      ({kinds}) ", text, re.M))
assert len(told["order"]) == len(set(o["op"] for o in told["order"])) > 0
' "$scratch/v/explained.json" "$scratch/explained.text"
done
expect 0 explain fourwave
says '^It has [1-9][0-9]* hazards as it stands (`swp verify`), '
sed 's/"order": \[.*\]/"order": []/' "$scratch/explained.json" >"$scratch/no_order.json"
expect 0 explain "$scratch/no_order.json"
holds 'without an order only waits and barriers are explained' test -z "$(grep '^order' "$out")"
expect 2 explain pingpong --format dot
warns 'choose text or json'
