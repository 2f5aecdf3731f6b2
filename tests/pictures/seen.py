#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: seen.py [FOLDER]

Looks at the pictures in a browser: no text of an SVG covers another or is cut off; the page answers mouse and keys, in
light and dark, at 800 and 1600 pixels; a schedule of 10,000 entries is drawn too. Screenshots go to FOLDER, if given.
SWP names the command, CHROMIUM the browser; without one all of this is skipped.
"""
import json
import sys
import tempfile
from pathlib import Path

import browser
import cases

SKIPPED = 77
failures = []
checks = 0
shots = Path(sys.argv[1]) if len(sys.argv) > 1 else None

# Pairs of texts that cover one another, and texts that stand out of the picture.
OVERLAPS = """(() => {
  const texts = [...document.querySelectorAll('text')].map((t) => [t.textContent, t.getBoundingClientRect()]);
  const all = document.querySelector('svg').getBoundingClientRect();
  const found = [];
  texts.forEach(([a, p], i) => {
    if (p.left < all.left || p.right > all.right + 1 || p.top < all.top || p.bottom > all.bottom) found.push(a + ' is cut');
    texts.slice(i + 1).forEach(([b, q]) => {
      const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
      const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
      if (wide > 2 && high > 4) found.push(a + ' covers ' + b);
      if (wide > -3 && high > 10) found.push(a + ' touches ' + b);
    });
  });
  return found;
})()"""


def check(holds, where, what):
    global checks
    checks += 1
    if not holds:
        failures.append(f"{where}: {what}")


def keep(page, name):
    if shots:
        page.screenshot(shots / f"{name}.png")


def write(folder, name, source, form):
    path = folder / f"{name}.{form}"
    path.write_text(cases.emitted(source, form), encoding="utf-8")
    return path


def see_svg(page, folder, all_cases):
    page.size(1000, 1400)
    for name, source in all_cases:
        page.open(write(folder, name, source, "svg"))
        for fault in page.ask(OVERLAPS)[:5]:
            check(False, f"{name}.svg", fault)
        for dark, expected in ((True, "rgb(20, 23, 26)"), (False, "rgb(255, 255, 255)")):
            page.darken(dark)
            paper = page.ask("getComputedStyle(document.querySelector('.paper')).fill")
            check(paper == expected, f"{name}.svg", f"paper is {paper}")
            keep(page, f"{name}_svg{'_dark' if dark else ''}")


def see_narrow(page, folder):
    """A picture by itself fits into a window that is narrower."""
    page.size(800, 900)
    page.open(write(folder, "gemm_ws", "gemm_ws", "svg"))
    right = page.ask("document.querySelector('.paper').getBoundingClientRect().right")
    check(right <= 800, "gemm_ws.svg at 800", f"it is {right} wide")
    keep(page, "gemm_ws_svg_800")


def sight(page):
    data = page.ask("({...document.getElementById('canvas').dataset})")
    return float(data["from"]), float(data["until"])


def picked(page):
    return int(page.ask("document.getElementById('details').dataset.event"))


def data_of(page):
    return json.loads(page.ask("document.getElementById('data').textContent"))


def spot_of(page, cycle):
    """Where the first group shows a cycle."""
    left, top, width = page.ask("(() => { const b = document.getElementById('canvas').getBoundingClientRect();"
                                "return [b.left, b.top, b.width]; })()")
    begin, end = sight(page)
    return left + 132 + (cycle - begin) / (end - begin) * (width - 142), top + 60 + 15


def see_bracket(page, name, run):
    """The interval is labelled: something is written above the middle of its bracket."""
    x = spot_of(page, sum(run["steady"]) / 2)[0] - spot_of(page, sight(page)[0])[0] + 132
    inked = page.ask("(() => { const c = document.getElementById('canvas'), p = c.getContext('2d');"
                     f"const all = [...new Uint32Array(p.getImageData({x} - 12, 42, 24, 10).data.buffer)];"
                     "return all.filter((each) => each !== all[0]).length; })()")
    check(inked > 20, name, f"of the label of its interval there are {inked} pixels")


def see_mouse(page, name, run):
    number, event = next((i, e) for i, e in enumerate(run["events"])
                         if e[5] == 0 and e[8] - e[7] > run["end"] / 100 and e[7] > 0)
    middle = (event[7] + event[8]) / 2
    page.mouse("mouseMoved", *spot_of(page, middle))
    page.settle()
    tip = page.ask("document.getElementById('tip').hidden ? '' : document.getElementById('tip').textContent")
    check(event[0] in tip and "held" in tip, name, f"hovering over {event[0]} shows {tip!r}")
    page.click(*spot_of(page, middle))
    check(picked(page) == number, name, f"a click picks {picked(page)} in place of {number}")
    begin, end = sight(page)
    page.mouse("mouseWheel", *spot_of(page, middle), deltaX=0, deltaY=-300)
    page.settle()
    closer = sight(page)
    check(closer[1] - closer[0] < 0.6 * (end - begin), name, "the wheel does not zoom")
    check(closer[0] <= middle <= closer[1], name, "the wheel loses what the mouse points at")
    return number


def see_dependences(page, name, run, number):
    """Of what holds the entry: by its link, back by a key, and by a key."""
    other = [stall[4] for stall in run["stalls"] if stall[0] == number and stall[4] >= 0][-1]
    linked = page.ask("[...document.querySelectorAll('#details li button')].map((b) => Number(b.dataset.event))")
    check(other in linked, name, f"{other} holds {number}, but is not among its links: {linked}")
    page.ask(f"document.querySelector('#details li button[data-event=\"{other}\"]').click()")
    page.settle()
    check(picked(page) == other, name, "a link does not lead to its entry")
    at = run["events"][other][8]
    check(sight(page)[0] <= at <= sight(page)[1], name, "what was followed is out of sight")
    page.ask("document.getElementById('canvas').focus()")
    page.press("Backspace")
    check(picked(page) == number, name, "Backspace does not lead back")
    page.press("Enter")
    check(picked(page) == other, name, "Enter does not follow")


def see_keys(page, name, run):
    page.press("0")
    all_of_it = sight(page)
    check(all_of_it[0] <= 0 and all_of_it[1] >= run["end"], name, "0 does not show all")
    if "steady" in run:
        see_bracket(page, name, run)
        page.press("i")
        check([round(c) for c in sight(page)] == run["steady"], name, "i does not show the interval")
    page.press("+")
    narrow = sight(page)
    page.press("-")
    check(sight(page)[1] - sight(page)[0] > narrow[1] - narrow[0], name, "+ and - do not zoom")
    before = sight(page)
    page.press("ArrowRight")
    check(sight(page)[0] > before[0] or sight(page)[1] >= run["end"], name, "the arrow does not move")
    page.press("0")
    page.press("PageDown")
    page.press("PageDown")
    check(round(sight(page)[0]) in [mark[1] for mark in run["marks"]], name, "page down does not step to a pass")
    page.press("Escape")
    page.press(".")
    first = picked(page)
    page.press(".")
    check(first >= 0 and picked(page) > first and run["events"][picked(page)][5] == 0, name, ". does not step")
    page.press(",")
    check(picked(page) == first, name, ", does not step back")
    if len(run["groups"]) > 1:
        page.press("ArrowDown")
        check(run["events"][picked(page)][5] == 1, name, "the arrow down does not go to the next group")
    page.press("Escape")
    check(picked(page) == -1, name, "Escape does not let go")


def see_page(page, folder, name, width, dark):
    where = f"{name}.html at {width}{' dark' if dark else ''}"
    shot = f"{name}_{width}{'_dark' if dark else ''}"
    page.size(width, 900)
    page.darken(dark)
    page.open(write(folder, name, name, "html"))
    run = data_of(page)["views"][0]
    keep(page, shot)
    number = see_mouse(page, where, run)
    see_dependences(page, where, run, number)
    keep(page, f"{shot}_picked")
    see_keys(page, where, run)
    if name == "attention_ws":
        see_entry(page, where)
    wide = page.ask("document.documentElement.scrollWidth")
    check(wide <= width, where, f"the page is {wide} wide")
    check(page.errors == [], where, f"errors: {page.errors}")


def see_entry(page, where):
    """The panel says of a wait what it waits for, as the text of the schedule does."""
    page.press("Escape")
    page.press("0")
    page.press(".")
    said = page.ask("document.querySelector('#details p').textContent")
    check("full_K turn +0" in said, where, f"of its first entry it says {said!r}")


def see_hazard(page, folder):
    page.size(1600, 900)
    page.open(write(folder, "unsafe", cases.unsafe(folder), "html"))
    hazard = data_of(page)["views"][1]
    page.ask("document.querySelector('#details button.danger').click()")
    page.settle()
    shown = page.ask("document.getElementById('views').value")
    check(shown == "1", "unsafe.html", f"a hazard's button shows run {shown}")
    for number in hazard["hazard"]["events"]:
        cycle = hazard["events"][number][8]
        check(sight(page)[0] <= cycle <= sight(page)[1], "unsafe.html", f"entry {number} of the hazard is out of sight")
    text = page.ask("document.getElementById('details').textContent")
    check("stale_read" in text, "unsafe.html", "the hazards are not listed")
    check(page.errors == [], "unsafe.html", f"errors: {page.errors}")
    keep(page, "unsafe_hazard")


def see_two(page, folder):
    """B's lanes answer below A's; both pictures of the pair are legible."""
    words = ["diff", "fourwave", "gemm_ws", "--format"]
    for form in ("svg", "html"):
        (folder / f"two.{form}").write_text(cases.swp(*words, form).stdout, encoding="utf-8")
    page.size(1000, 1400)
    page.open(folder / "two.svg")
    for fault in page.ask(OVERLAPS)[:5]:
        check(False, "two.svg", fault)
    keep(page, "two_svg")
    page.size(1600, 900)
    page.open(folder / "two.html")
    page.press(".")
    page.press("ArrowDown")
    first = page.ask("document.querySelector('#details dd').textContent")
    check(first == "B producer 0", "two.html", f"below the one group of A is {first!r}")
    check(page.errors == [], "two.html", f"errors: {page.errors}")
    keep(page, "two")


def see_long(page, folder):
    """10,500 entries in the kernel: all of them, then some."""
    page.size(1600, 900)
    page.darken(False)
    page.open(write(folder, "long", cases.long(folder, 150), "html"))
    run = data_of(page)["views"][0]
    check(len(run["events"]) > 40000, "long.html", f"only {len(run['events'])} events")
    keep(page, "long")
    check(see_mouse_in_small(page, run) >= 0, "long.html", "nothing can be picked")
    check(page.errors == [], "long.html", f"errors: {page.errors}")
    keep(page, "long_zoomed")


def see_mouse_in_small(page, run):
    page.ask("document.getElementById('canvas').focus()")
    for _ in range(16):
        page.press("+")
    begin, end = sight(page)
    check(end - begin < run["end"] / 500, "long.html", "+ does not zoom")
    page.click(*spot_of(page, (begin + end) / 2))
    return picked(page)


def main():
    if not browser.find():
        print("pictures.seen: skipped: there is no Chromium; set CHROMIUM, or install the package chromium")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with browser.Browser(1600, 900) as page:
            see_svg(page, folder, cases.all_of(folder))
            see_narrow(page, folder)
            see_page(page, folder, "attention_ws", 1600, False)
            see_page(page, folder, "pingpong", 800, True)
            see_hazard(page, folder)
            see_two(page, folder)
            see_long(page, folder)
    for failure in failures[:20]:
        print(f"pictures.seen: {failure}")
    print(f"pictures.seen: {checks} checks, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
