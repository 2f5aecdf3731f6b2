# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# `swp explain`; run.sh sources it.

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
# Of a loop each form is explained: which entries of which list are named, and which ops stand there.
for loop in gemm_tile gemm_fragments attention_fwd stencil; do
    "$SWP" compile "$loop" --format json -o "$scratch/loop.json" 2>"$err"
    expect 0 explain "$loop" --format json
    holds "explain $loop names each wait and barrier, and what its conflicts are about" python3 -c 'import json, sys
schedule, told = (json.load(open(name)) for name in sys.argv[1:3])
lists = {p: schedule[p] for p in ("prologue", "kernel", "epilogue")}
lists |= {f"epilogue_{r + 1}": entries for r, entries in enumerate(schedule["epilogues"])}
lists |= {f"straight_{n}": entries for n, entries in enumerate(schedule["straight"])}
wanted = [(name, i) for name, entries in lists.items()
          for i, e in enumerate(entries) if e["role"] == "sync"]
assert [(s["list"], s["entry"]) for s in told["sync"]] == wanted
for need in (need for s in told["sync"] for need in s["needs"]):
    for at in filter(None, (need, need["other"])):
        entry = lists[at["list"]][at["entry"]]
        assert (entry["name"], entry["iteration"]) == (at["name"], at["iteration"]), at
assert told["interval"] == schedule["pipeline"]["interval"]
assert told["held_by"] == schedule["pipeline"]["held_by"]
assert {(o["name"], o["start"], o["stage"]) for o in told["order"]} == {
    (o["name"], o["cycle"], o["stage"]) for o in schedule["pipeline"]["ops"]}
' "$scratch/loop.json" "$out"
    expect 0 emit "$loop" --format dot
    holds "the graph of $loop has edges and no halves" python3 -c 'import sys
text = open(sys.argv[1]).read()
assert " -> " in text and "half" not in text and "stage 1" in text' "$out"
    if command -v dot >/dev/null; then
        holds "the graph of $loop parses" dot -Tsvg "$out" -o "$scratch/loop.svg"
    fi
done
expect 0 explain fourwave
says '^It has [1-9][0-9]* hazards as it stands (`swp verify`), '
sed 's/"order": \[.*\]/"order": []/' "$scratch/explained.json" >"$scratch/no_order.json"
expect 0 explain "$scratch/no_order.json"
holds 'without an order only waits and barriers are explained' test -z "$(grep '^order' "$out")"
expect 2 explain pingpong --format dot
warns 'choose text or json'
