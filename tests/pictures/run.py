#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: run.py

The pictures of the built-in schedules, of schedules with warp roles, of unsafe ones and of one that waits for ever:
SVG that an XML reader takes, whose boxes lie within it; pages whose data agree with `swp simulate`; traces that keep the
rules of the format. SWP names the command.
"""
import json
import re
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

import cases
import trace_rules

SVG = "{http://www.w3.org/2000/svg}"
failures = []
checks = 0


def check(holds, where, what):
    global checks
    checks += 1
    if not holds:
        failures.append(f"{where}: {what}")


def check_svg(name, text):
    try:
        root = xml.fromstring(text)
    except xml.ParseError as error:
        check(False, name, f"svg: {error}")
        return
    _, _, width, height = map(float, root.get("viewBox").split())
    for box in root.iter(f"{SVG}rect"):
        x, y = float(box.get("x", 0)), float(box.get("y", 0))
        right, bottom = x + float(box.get("width")), y + float(box.get("height"))
        check(x >= 0 and y >= 0 and right <= width and bottom <= height, name, f"svg: {box.attrib} is outside")
    # It must show the same in a page of its own, in another one, and without a network.
    check(not re.search(r"<script|https?://(?!www\.w3\.org/2000/svg)", text), name, "svg: scripts or addresses")


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">\n(.*?)\n</script>', page, re.DOTALL)[1])


def check_page(name, page):
    data = data_of(page)
    check("http" not in page.replace("http://www.w3.org", ""), name, "html: needs a network")
    for view in data["views"]:
        last = [0] * len(view["groups"])
        for number, event in enumerate(view["events"]):
            _, colour, _, _, _, group, _, ready, issued, left, granted, finished, flags = event
            check(ready == last[group] and ready <= issued <= left and issued <= granted <= finished, name,
                  f"html: times of event {number}: {event}")
            last[group] = left
            check(data["colours"][colour] != "", name, f"html: event {number} has a colour without a meaning")
        for stall in view["stalls"]:
            check(stall[2] <= stall[3] <= view["end"], name, f"html: stall {stall}")
        for unit in range(len(view["units"])):
            rows = {}
            for use in (u for u in view["uses"] if u[1] == unit):
                check(use[3] >= rows.get(use[2], 0), name, f"html: two ops in row {use[2]} of {view['units'][unit]}")
                rows[use[2]] = use[5]
    return data["views"][0]


def check_interval(name, source, run):
    simulated = cases.swp("simulate", source, "--format", "json")
    check(("steady" in run) == (simulated.returncode == 0), name, "steady or not is not as simulate says")
    if "steady" in run and simulated.returncode == 0:
        begin, end = run["steady"]
        check(end - begin == json.loads(simulated.stdout)["cycles"], name, "the interval is not that of simulate")


def spoil(trace, change):
    """The faults of a copy of a trace after a change."""
    copy = json.loads(json.dumps(trace))
    change(copy["traceEvents"])
    return trace_rules.faults(copy)


def check_rules(trace):
    """That each rule is one: a trace that breaks it is refused."""
    def last(phase):
        return lambda events: [e for e in events if e["ph"] == phase][-1]

    def stretch(events):
        first = [e for e in events if e["ph"] == "X" and e["pid"] == 2][0]
        events.append(dict(first, ts=first["ts"] + 1))

    for what, change in {
            "overlapping slices": stretch,
            "a thread without a name": lambda events: events.remove(
                next(e for e in events if e.get("name") == "thread_name")),
            "an arrow without an end": lambda events: events.remove(last("f")(events)),
            "an arrow from nowhere": lambda events: last("s")(events).update(tid=99),
            "an arrow back in time": lambda events: last("f")(events).update(ts=0)}.items():
        check(spoil(trace, change), "rules of traces", f"{what} is not found")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, source in cases.all_of(Path(folder)):
            check_svg(name, cases.emitted(source, "svg"))
            check_interval(name, source, check_page(name, cases.emitted(source, "html")))
            trace = json.loads(cases.emitted(source, "perfetto"))
            for fault in trace_rules.faults(trace):
                check(False, name, f"perfetto: {fault}")
            check(trace["otherData"]["unit"] == "one cycle is one microsecond", name, "perfetto: no unit")
        check_rules(trace)
    for failure in failures[:20]:
        print(f"pictures: {failure}")
    print(f"pictures: {checks} checks, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
