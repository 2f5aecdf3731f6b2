// SPDX-License-Identifier: Apache-2.0
// Shows the runs of a schedule: only what is in sight is drawn, so that long ones stay smooth.
"use strict";
(function () {
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const canvas = $("canvas");
const plot = $("plot");
const pen = canvas.getContext("2d");
const LEFT = 132, RIGHT = 10, TOP = 60, AXIS = 32, BESIDE = 30, GROUP = 30, ROW = 15, SLOT = 18, GAP = 10, LEAST_LABEL = 26;

// Columns of the rows of data.
const EVENT = {name: 0, colour: 1, phase: 2, entry: 3, pass: 4, group: 5, tile: 6, ready: 7, issued: 8, left: 9,
               granted: 10, finished: 11, flags: 12};
const STUCK = 1, CRITICAL = 2;

let view = null;     // one of data.views
let from = 0;        // cycles in sight
let until = 1;
let picked = -1;     // event
let trail = [];      // picked before
let colours = [];
let hatch = null;

// --- What is where ---

function prepare(v) {
    v.stallsOf = new Map();
    v.readersOf = new Map();
    v.makersOf = new Map();
    v.heldBy = new Map();
    v.useOf = new Map();
    const add = (map, key, value) => { if (!map.has(key)) map.set(key, []); map.get(key).push(value); };
    v.stalls.forEach((s) => { add(v.stallsOf, s[0], s); if (s[4] >= 0) add(v.heldBy, s[4], s[0]); });
    v.flows.forEach((f) => { add(v.readersOf, f[0], f); add(v.makersOf, f[1], f); });
    v.uses.forEach((u) => add(v.useOf, u[0], u));
    lay(v);
}

// Lanes: bars of a lane lie one behind the other, so that those in sight are found by halving.
function lay(v) {
    let y = TOP;
    v.lanes = [];
    const lane = (name, height, gap, kind) => {
        const one = {name, y, height, kind, bars: []};
        v.lanes.push(one);
        y += height + gap;
        return one;
    };
    const group = (name) => lane(name, GROUP, GAP, "group");
    const slot = (name) => lane(name, SLOT - 3, 3, "slot");
    const unit = (of) => {
        const rows = [];
        for (let row = 0; row < of.rows; row++)
            rows.push(lane(row === 0 ? of.name : "", ROW, row + 1 === of.rows ? GAP : 0, "unit"));
        return rows;
    };
    // Of two, all lanes of A stand above those of B.
    const cut = v.second ? v.second.from : {group: v.groups.length, unit: v.units.length, slot: v.slots.length};
    v.groupLanes = v.groups.slice(0, cut.group).map(group);
    v.unitLanes = v.units.slice(0, cut.unit).map(unit);
    v.slotLanes = v.slots.slice(0, cut.slot).map(slot);
    if (v.second) { y += BESIDE; v.second.y = y; }
    v.groupLanes.push(...v.groups.slice(cut.group).map(group));
    v.unitLanes.push(...v.units.slice(cut.unit).map(unit));
    v.slotLanes.push(...v.slots.slice(cut.slot).map(slot));
    v.height = y + 12;
    v.events.forEach((e, i) => {
        const bars = v.groupLanes[e[EVENT.group]].bars;
        (v.stallsOf.get(i) || []).forEach((s) => bars.push({from: s[2], until: s[3], event: i, stall: s}));
        if (!(e[EVENT.flags] & STUCK))
            bars.push({from: e[EVENT.issued], until: e[EVENT.left], event: i});
    });
    v.uses.forEach((u) => v.unitLanes[u[1]][u[2]].bars.push({from: u[3], until: u[5], busy: u[4], event: u[0]}));
    v.lives.forEach((l) => v.slotLanes[l[0]].bars.push({from: l[2], until: l[4], made: l[3], event: l[5], life: l}));
    v.lanes.forEach((one) => one.bars.sort((a, b) => a.from - b.from || a.until - b.until));
}

// The first bar of a lane that ends behind a cycle; bars of a lane do not overlap.
function firstBar(bars, cycle) {
    let low = 0, high = bars.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (bars[middle].until < cycle) low = middle + 1; else high = middle;
    }
    return low;
}

let canvasWidth = 1; // to ask the page for it at each bar would take most of the time
const width = () => canvasWidth;
const x = (cycle) => LEFT + (cycle - from) / (until - from) * (width() - LEFT - RIGHT);
const cycleAt = (pixel) => from + (pixel - LEFT) / (width() - LEFT - RIGHT) * (until - from);
const nameOf = (i) => view.events[i][EVENT.name];

function passName(v, pass) {
    return pass < 0 ? "prologue" : pass >= v.passes ? "epilogue" : "pass " + pass;
}

function passOf(e) {
    return ["prologue", "pass " + e[EVENT.pass], "epilogue", "begin", "end", "drain"][e[EVENT.phase]];
}

// --- Drawing ---

function readColours() {
    const style = getComputedStyle(document.documentElement);
    const read = (name) => style.getPropertyValue("--" + name).trim();
    colours = ["h0", "h1", "h2", "h3", "h4", "h5", "sync", "fence"].map(read);
    ["ink", "dim", "paper", "lane", "line", "stall", "red", "pick"].forEach((n) => { colours[n] = read(n); });
    const tile = document.createElement("canvas");
    tile.width = tile.height = 6;
    const t = tile.getContext("2d");
    t.strokeStyle = colours.stall;
    t.lineWidth = 1.1;
    t.beginPath();
    for (const shift of [-6, 0, 6]) { t.moveTo(shift, 6); t.lineTo(shift + 6, 0); }
    t.stroke();
    hatch = pen.createPattern(tile, "repeat");
}

let asked = false;
function redraw() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; draw(); });
}

function resize() {
    const scale = window.devicePixelRatio || 1;
    const height = Math.max(view.height, plot.clientHeight - 2);
    canvas.style.height = height + "px";
    canvasWidth = canvas.clientWidth;
    canvas.width = Math.round(canvasWidth * scale);
    canvas.height = Math.round(height * scale);
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    draw();
}

function draw() {
    const height = parseFloat(canvas.style.height);
    pen.font = "13px system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
    pen.fillStyle = colours.paper;
    pen.fillRect(0, 0, width(), height);
    drawLaneBackgrounds();
    drawAxis(height);
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, 0, width() - LEFT - RIGHT, height);
    pen.clip();
    view.lanes.forEach(drawLane);
    drawArrows();
    drawHazard();
    pen.restore();
    drawNames();
    showRange();
}

function drawLaneBackgrounds() {
    view.lanes.forEach((lane) => {
        pen.fillStyle = colours.lane;
        pen.fillRect(LEFT, lane.y, width() - LEFT - RIGHT, lane.height);
    });
}

function drawNames() {
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    view.lanes.forEach((lane) => {
        pen.fillStyle = lane.kind === "slot" ? colours.dim : colours.ink;
        pen.fillText(shorten(lane.name, LEFT - 16), LEFT - 8, lane.y + lane.height / 2);
    });
}

function shorten(text, room) {
    if (pen.measureText(text).width <= room) return text;
    while (text.length > 1 && pen.measureText(text + "…").width > room) text = text.slice(0, -1);
    return text + "…";
}

function stepOf(cycles, most) {
    for (let power = 1; ; power *= 10)
        for (const factor of [1, 2, 5])
            if (cycles / (power * factor) <= most) return power * factor;
}

function drawAxis(height) {
    const step = stepOf(until - from, Math.max(2, (width() - LEFT) / 90));
    pen.textBaseline = "alphabetic";
    pen.textAlign = "center";
    for (let cycle = Math.ceil(from / step) * step; cycle <= until; cycle += step) {
        pen.fillStyle = colours.line;
        pen.fillRect(Math.round(x(cycle)), AXIS + 6, 1, height);
        pen.fillStyle = colours.dim;
        if (x(cycle) < width() - 24) pen.fillText(String(cycle), x(cycle), AXIS);
    }
    pen.textAlign = "right";
    pen.fillText("cycle", LEFT - 8, AXIS);
    drawPasses(height);
    drawBracket();
}

function drawPasses(height) {
    let last = -1e9;
    const end = view.second ? view.second.y - BESIDE : height;
    pen.textAlign = "left";
    view.marks.forEach((mark, i) => {
        const at = x(mark[1]);
        const next = i + 1 < view.marks.length ? x(view.marks[i + 1][1]) : width();
        if (at < LEFT - 1 || at > width()) {
            if (!(at < LEFT && next > LEFT + 70)) return;
        } else {
            pen.strokeStyle = colours.dim;
            pen.setLineDash([3, 3]);
            pen.beginPath();
            pen.moveTo(at, 4);
            pen.lineTo(at, end);
            pen.stroke();
            pen.setLineDash([]);
        }
        const shown = Math.max(at, LEFT);
        if (next - shown < 64 || shown - last < 64) return;
        last = shown;
        pen.fillStyle = colours.dim;
        pen.fillText(passName(view, mark[0]), shown + 4, 14);
    });
}

function drawBracket() {
    bracket(view.steady, TOP - 5);
    if (view.second) bracket(view.second.steady, view.second.y - 5);
}

function bracket(steady, y) {
    if (!steady) return;
    const left = Math.max(x(steady[0]), LEFT), right = Math.min(x(steady[1]), width() - RIGHT);
    if (right <= left) return;
    pen.strokeStyle = colours.ink;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(left, y);
    pen.lineTo(right, y);
    if (left === x(steady[0])) { pen.moveTo(left, y - 1); pen.lineTo(left, y + 4); }
    if (right === x(steady[1])) { pen.moveTo(right, y - 1); pen.lineTo(right, y + 4); }
    pen.stroke();
    pen.lineWidth = 1;
    const cycles = steady[1] - steady[0];
    const label = [`repeats every ${cycles} cycles`, `${cycles}`].find((text) => pen.measureText(text).width < right - left - 8);
    if (!label) return;
    const middle = (left + right) / 2, half = pen.measureText(label).width / 2 + 3;
    pen.fillStyle = colours.paper;
    pen.fillRect(middle - half, y - 14, 2 * half, 13);
    pen.fillStyle = colours.ink;
    pen.textAlign = "center";
    pen.fillText(label, middle, y - 4);
}

// Of several bars in one pixel the kind is drawn that takes most of it.
const HELD = 8;
function drawLane(lane) {
    const bars = lane.bars;
    const pixel = (until - from) / (width() - LEFT - RIGHT);
    let column = -1, shares = null;
    const flush = () => {
        if (!shares) return;
        const most = shares.indexOf(Math.max(...shares));
        pen.globalAlpha = lane.kind === "group" ? 1 : 0.7;
        pen.fillStyle = most === HELD ? hatch : colours[most];
        pen.fillRect(column, lane.y, 1, lane.height - (lane.kind === "unit" ? 1 : 0));
        pen.globalAlpha = 1;
        shares = null;
    };
    for (let i = firstBar(bars, from); i < bars.length && bars[i].from <= until; i++) {
        const bar = bars[i];
        const long = bar.until - bar.from;
        const at = Math.floor(x(bar.from));
        if (at !== column) flush();
        if (long >= pixel) { drawBar(lane, bar); continue; }
        column = at;
        if (!shares) shares = new Float64Array(HELD + 1);
        shares[bar.stall ? HELD : view.events[bar.event][EVENT.colour]] += long + 1e-6;
    }
    flush();
}

function drawBar(lane, bar) {
    const e = view.events[bar.event];
    const left = Math.max(x(bar.from), LEFT - 2), right = Math.min(x(bar.until), width() + 2);
    const wide = Math.max(right - left, 1);
    const inside = bar.busy !== undefined ? Math.max(x(bar.busy), left) : bar.made !== undefined ? x(bar.made) : right;
    if (bar.stall) {
        pen.fillStyle = hatch;
        pen.fillRect(left, lane.y, wide, lane.height);
        label(bar, left, right, lane, true);
    } else if (lane.kind === "slot") {
        fill(e, left, Math.max(inside - left, 1), lane, 0.38);
        if (right > inside) fill(e, Math.max(inside, left), right - Math.max(inside, left), lane, 1);
        slotLabel(bar, Math.max(inside, left), right, lane);
    } else {
        if (right > inside) fill(e, inside, right - inside, lane, 0.38);
        if (inside > left || lane.kind === "group") fill(e, left, Math.max(inside - left, 1), lane, 1);
        // On the part that is full; of an op that keeps nothing, on the pale one.
        label(bar, left, inside > left ? inside : right, lane, false);
    }
    outline(e, bar, left, wide, lane);
}

function fill(e, left, wide, lane, opacity) {
    const apart = lane.kind === "unit" ? 1 : 0;
    pen.globalAlpha = opacity;
    pen.fillStyle = colours[e[EVENT.colour]];
    pen.fillRect(left, lane.y, wide > 3 ? wide - 0.7 : wide, lane.height - apart);
    pen.globalAlpha = 1;
}

function outline(e, bar, left, wide, lane) {
    const critical = bar.stall ? bar.stall[6] : (e[EVENT.flags] & CRITICAL) && lane.kind !== "slot";
    const stuck = bar.stall && (e[EVENT.flags] & STUCK);
    if (!stuck && !(critical && wide > 3 && !view.hazard)) return;
    pen.strokeStyle = stuck ? colours.red : colours.ink;
    pen.lineWidth = 1.6;
    pen.strokeRect(left, lane.y + 0.5, wide, lane.height - 1);
    pen.lineWidth = 1;
}

function label(bar, left, right, lane, onStall) {
    const shown = Math.max(left, LEFT), room = Math.min(right, width() - RIGHT) - shown;
    if (room < LEAST_LABEL) return;
    const e = view.events[bar.event];
    const tile = e[EVENT.tile] === null ? "" : " " + e[EVENT.tile];
    let text = nameOf(bar.event) + (lane.kind === "unit" ? tile : "");
    if (pen.measureText(text).width > room - 6) text = nameOf(bar.event);
    const wide = pen.measureText(text).width;
    if (wide > room - 6) return;
    const middle = shown + room / 2;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    if (onStall) {
        pen.fillStyle = colours.lane;
        pen.fillRect(middle - wide / 2 - 3, lane.y + 4, wide + 6, lane.height - 8);
    }
    const onDark = !onStall && e[EVENT.colour] === 6;
    pen.fillStyle = onStall ? colours.ink : onDark ? colours.paper : "#111";
    if (lane.kind === "unit" && bar.busy === bar.from) pen.fillStyle = colours.ink;
    pen.fillText(text, middle, lane.y + lane.height / 2);
}

function slotLabel(bar, left, right, lane) {
    const text = String(bar.life[1]);
    if (right - left < pen.measureText(text).width + 6) return;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillStyle = "#111";
    pen.fillText(text, (left + Math.min(right, width() - RIGHT)) / 2, lane.y + lane.height / 2 + 0.5);
}

// Where an event ends: on its unit where it has one.
function endOf(i) {
    const e = view.events[i];
    const use = (view.useOf.get(i) || [])[0];
    if (!use || e[EVENT.finished] === e[EVENT.issued]) return startOf(i);
    const lane = view.unitLanes[use[1]][use[2]];
    return {cycle: e[EVENT.finished], y: lane.y + lane.height / 2};
}

function startOf(i) {
    const e = view.events[i];
    const lane = view.groupLanes[e[EVENT.group]];
    return {cycle: e[EVENT.flags] & STUCK ? e[EVENT.ready] : e[EVENT.issued], y: lane.y + lane.height / 2};
}

function arrow(a, b, colour, thick, dash) {
    const left = x(a.cycle), right = x(b.cycle);
    if (Math.max(left, right) < LEFT || Math.min(left, right) > width()) return;
    const bend = Math.min(40, Math.abs(right - left) / 2 + 8);
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = thick;
    pen.setLineDash(dash || []);
    pen.beginPath();
    pen.moveTo(left, a.y);
    pen.bezierCurveTo(left + bend, a.y, right - bend, b.y, right, b.y);
    pen.stroke();
    pen.setLineDash([]);
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(right, b.y);
    pen.lineTo(right - 8, b.y - 4);
    pen.lineTo(right - 8, b.y + 4);
    pen.fill();
}

// On all lanes where it has a part.
function drawPicked() {
    const frame = (lane, a, b) => pen.strokeRect(x(a), lane.y + 0.5, Math.max(x(b) - x(a), 1), lane.height - 1);
    const e = view.events[picked];
    pen.strokeStyle = colours.pick;
    pen.lineWidth = 3;
    (view.stallsOf.get(picked) || []).forEach((s) => frame(view.groupLanes[e[EVENT.group]], s[2], s[3]));
    if (!(e[EVENT.flags] & STUCK)) frame(view.groupLanes[e[EVENT.group]], e[EVENT.issued], e[EVENT.left]);
    (view.useOf.get(picked) || []).forEach((u) => frame(view.unitLanes[u[1]][u[2]], u[3], u[5]));
    pen.lineWidth = 1;
}

function drawArrows() {
    if (picked < 0) return;
    drawPicked();
    (view.stallsOf.get(picked) || []).forEach((s) => { if (s[4] >= 0) arrow(endOf(s[4]), startOf(picked), colours.pick, 2); });
    (view.makersOf.get(picked) || []).forEach((f) => arrow(endOf(f[0]), startOf(picked), colours.dim, 1.5));
    (view.readersOf.get(picked) || []).forEach((f) => arrow(endOf(picked), startOf(f[1]), colours.dim, 1.5));
    (view.heldBy.get(picked) || []).forEach((i) => arrow(endOf(picked), startOf(i), colours.pick, 1.5, [5, 3]));
}

function drawHazard() {
    if (!view.hazard) return;
    const [at, other] = view.hazard.events;
    [at, other].filter((i) => i >= 0).forEach((i) => {
        const p = startOf(i);
        pen.strokeStyle = colours.red;
        pen.lineWidth = 2.5;
        pen.strokeRect(x(p.cycle) - 5, p.y - GROUP / 2 - 3, 10, GROUP + 6);
        pen.lineWidth = 1;
    });
    if (other >= 0) arrow(startOf(other), startOf(at), colours.red, 2.5, [7, 5]);
}

// --- Details ---

// What the schedule's list says of an entry behind its name: values and slots, a count, an mbarrier and its turn.
function saidOf(e) {
    const said = view.said[view.streams[e[EVENT.group]]][e[EVENT.phase]];
    return e[EVENT.entry] < 0 ? "" : said[e[EVENT.entry]].trim().replace(/ {2,}/g, "  ");
}

function describe(i) {
    const e = view.events[i];
    const lines = [nameOf(i) + (e[EVENT.tile] === null ? "" : ", " + view.tile + " " + e[EVENT.tile])];
    const said = saidOf(e);
    if (said) lines.push(said);
    lines.push(view.groups[e[EVENT.group]] + ", " + passOf(e) +
               (e[EVENT.entry] < 0 ? ", between the phases" : ", entry " + e[EVENT.entry]));
    if (e[EVENT.flags] & STUCK) {
        lines.push("waits for ever from cycle " + e[EVENT.ready] + " on");
        return lines;
    }
    lines.push("issues at cycle " + e[EVENT.issued]);
    if (e[EVENT.granted] > e[EVENT.issued]) lines.push("begins at " + e[EVENT.granted]);
    if (e[EVENT.finished] > e[EVENT.issued]) lines.push("done at " + e[EVENT.finished]);
    (view.stallsOf.get(i) || []).forEach((s) => lines.push("held " + (s[3] - s[2]) + " cycles: " + data.causes[s[1]].name));
    return lines;
}

function element(tag, text, parent) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (parent) parent.appendChild(made);
    return made;
}

function pair(list, term, value) {
    element("dt", term, list);
    element("dd", String(value), list);
}

function links(parent, heading, numbers) {
    const seen = Array.from(new Set(numbers)).filter((i) => i >= 0);
    if (seen.length === 0) return;
    element("h3", heading, parent);
    const list = element("ul", undefined, parent);
    seen.slice(0, 24).forEach((i) => {
        const button = element("button", describe(i).slice(0, saidOf(view.events[i]) ? 3 : 2).join(" · "), element("li", undefined, list));
        button.dataset.event = i;
        button.addEventListener("click", () => follow(i));
    });
}

function showDetails() {
    const box = $("details");
    box.textContent = "";
    box.dataset.event = picked;
    if (picked < 0) { showHelp(box); return; }
    const e = view.events[picked];
    const stalls = view.stallsOf.get(picked) || [];
    element("h2", describe(picked)[0], box);
    if (saidOf(e)) element("p", saidOf(e), box);
    const list = element("dl", undefined, box);
    pair(list, "group", view.groups[e[EVENT.group]]);
    pair(list, "entry", (e[EVENT.entry] < 0 ? "behind " : e[EVENT.entry] + " of ") + passOf(e));
    pair(list, "ready", e[EVENT.ready]);
    if (!(e[EVENT.flags] & STUCK)) pair(list, "issues", e[EVENT.issued]);
    if (e[EVENT.granted] > e[EVENT.issued]) pair(list, "begins", e[EVENT.granted]);
    if (e[EVENT.finished] > e[EVENT.issued]) pair(list, "done", e[EVENT.finished]);
    (view.useOf.get(picked) || []).forEach((u) => pair(list, "unit", view.units[u[1]].name + (u[4] > u[3] ? ", " + (u[4] - u[3]) + " cycles" : "")));
    stalls.forEach((s) => pair(list, "held " + (s[3] - s[2]), data.causes[s[1]].meaning + (s[5] ? " (" + s[5] + ")" : "")));
    links(box, "Waits for", stalls.map((s) => s[4]));
    links(box, "Reads what these make", (view.makersOf.get(picked) || []).map((f) => f[0]));
    links(box, "Read by", (view.readersOf.get(picked) || []).map((f) => f[1]));
    links(box, "These wait for it", view.heldBy.get(picked) || []);
}

const KEYS = [["← →", "move"], ["+ −", "zoom, as the wheel does"], ["0", "all of the run"], ["i", "the interval"],
              ["page up, page down", "pass by pass"], [", .", "entry before, next entry"], ["↑ ↓", "group above, below"],
              ["Enter", "to what it waits for, or reads"], ["Backspace", "back"], ["Esc", "let go"]];

// A button where its kind has a run of its own.
function showHazard(text, box) {
    const kind = text.match(/^([AB]: )?(\w+):/);
    const run = kind ? data.views.findIndex((v) => v.name === (kind[1] || "") + "hazard: " + kind[2]) : -1;
    const line = element(run < 0 ? "p" : "button", text, box);
    line.className = "danger";
    if (run >= 0) line.addEventListener("click", () => { $("views").value = run; choose(run); });
}

function showHelp(box) {
    data.hazards.forEach((text) => showHazard(text, box));
    element("h2", "Keys", box);
    const list = element("dl", undefined, box);
    KEYS.forEach(([keys, meaning]) => {
        element("kbd", keys, element("dt", undefined, list));
        element("dd", meaning, list);
    });
    element("p", "Drag to move. Click an entry for what it waits for and who waits for it.", box);
}

function showRange() {
    canvas.dataset.drawn = Number(canvas.dataset.drawn || 0) + 1;
    $("range").textContent = "cycles " + Math.round(from) + " to " + Math.round(until);
    canvas.dataset.from = from.toFixed(2);
    canvas.dataset.until = until.toFixed(2);
}

// --- Moving ---

function show(a, b) {
    const least = 8, most = view.end * 1.02 + 1;
    const wide = Math.min(Math.max(b - a, least), most);
    from = Math.max(-0.02 * view.end, Math.min(a, view.end * 1.02 - wide));
    if (wide >= most) from = -0.01 * view.end;
    until = from + wide;
    redraw();
}

function zoom(factor, around) {
    const cycle = around === undefined ? (from + until) / 2 : around;
    show(cycle - (cycle - from) * factor, cycle + (until - cycle) * factor);
}

const move = (share) => show(from + share * (until - from), until + share * (until - from));
const fit = () => show(0, view.end);
const showInterval = () => { if (view.steady) show(view.steady[0], view.steady[1]); };

function stepPass(by) {
    const marks = view.marks;
    const middle = (from + until) / 2;
    let now = 0;
    marks.forEach((mark, i) => { if (mark[1] <= middle) now = i; });
    const isOne = Math.abs(from - marks[now][1]) < 0.02 * (until - from);
    const next = Math.max(0, Math.min(marks.length - 1, isOne ? now + by : now));
    show(marks[next][1], next + 1 < marks.length ? marks[next + 1][1] : view.end);
}

function pick(i) {
    picked = i;
    showDetails();
    redraw();
}

// Picks an event and brings it into sight.
function follow(i) {
    if (picked >= 0) trail.push(picked);
    goTo(i);
}

function goTo(i) {
    const at = startOf(i);
    const margin = 0.05 * (until - from);
    if (at.cycle < from + margin || at.cycle > until - margin) {
        const half = (until - from) / 2;
        show(at.cycle - half, at.cycle + half);
    }
    if (at.y < plot.scrollTop + TOP || at.y > plot.scrollTop + plot.clientHeight - GROUP)
        plot.scrollTop = at.y - plot.clientHeight / 2;
    pick(i);
}

function back() {
    if (trail.length > 0) goTo(trail.pop());
}

// The entry of a group that is next to a cycle.
function nearest(group, cycle) {
    const bars = view.groupLanes[group].bars;
    const i = Math.min(firstBar(bars, cycle), bars.length - 1);
    return i < 0 ? -1 : bars[i].event;
}

function stepEntry(by) {
    const group = picked < 0 ? 0 : view.events[picked][EVENT.group];
    const numbers = [];
    view.events.forEach((e, i) => { if (e[EVENT.group] === group) numbers.push(i); });
    if (picked < 0) { goTo(nearest(0, from)); return; }
    const next = numbers[numbers.indexOf(picked) + by];
    if (next !== undefined) goTo(next);
}

function stepGroup(by) {
    if (picked < 0) { goTo(nearest(0, from)); return; }
    const group = view.events[picked][EVENT.group] + by;
    if (group >= 0 && group < view.groups.length) goTo(nearest(group, startOf(picked).cycle));
}

function followFirst() {
    if (picked < 0) return;
    const stall = (view.stallsOf.get(picked) || []).filter((s) => s[4] >= 0).pop();
    const flow = (view.makersOf.get(picked) || [])[0];
    if (stall) follow(stall[4]);
    else if (flow) follow(flow[0]);
}

// --- Mouse and keys ---

function barAt(px, py) {
    const lane = view.lanes.find((one) => py >= one.y && py < one.y + one.height);
    if (!lane || px < LEFT) return null;
    const slack = 3 * (until - from) / (width() - LEFT);
    const cycle = cycleAt(px);
    let best = null, least = slack;
    for (let i = firstBar(lane.bars, cycle - slack); i < lane.bars.length && lane.bars[i].from <= cycle + slack; i++) {
        const bar = lane.bars[i];
        const off = Math.max(bar.from - cycle, cycle - bar.until, 0);
        // An op that is a pixel wide wins over the stall beside it.
        const cost = off + (bar.stall ? slack / 2 : 0);
        if (cost <= least) { best = bar; least = cost; }
    }
    return best;
}

function place(event) {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
}

let drag = null;
canvas.addEventListener("pointerdown", (event) => {
    drag = {at: event.clientX, from, until, moved: false};
    canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointermove", (event) => {
    const tip = $("tip");
    if (drag && Math.abs(event.clientX - drag.at) > 3) drag.moved = true;
    if (drag && drag.moved) {
        const cycles = (drag.at - event.clientX) / (width() - LEFT - RIGHT) * (drag.until - drag.from);
        canvas.classList.add("dragging");
        tip.hidden = true;
        show(drag.from + cycles, drag.until + cycles);
        return;
    }
    const bar = barAt(...place(event));
    tip.hidden = !bar;
    if (!bar) return;
    tip.textContent = describe(bar.event).join("\n") + (bar.life ? "\n" + lifeOf(bar) : "");
    tip.style.left = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8) + "px";
    tip.style.top = Math.min(event.clientY + 14, window.innerHeight - tip.offsetHeight - 8) + "px";
});

function lifeOf(bar) {
    return view.slots[bar.life[0]] + " holds " + view.tile + " " + bar.life[1] + " from " + bar.made + " to " + bar.until;
}

canvas.addEventListener("pointerup", (event) => {
    canvas.classList.remove("dragging");
    const moved = drag && drag.moved;
    drag = null;
    if (moved) return;
    const bar = barAt(...place(event));
    trail = [];
    pick(bar ? bar.event : -1);
});
canvas.addEventListener("pointerleave", () => { $("tip").hidden = true; });
canvas.addEventListener("wheel", (event) => {
    if (event.shiftKey) { move(event.deltaY / 600); event.preventDefault(); return; }
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) move(event.deltaX / width());
    else zoom(Math.exp(event.deltaY / 400), cycleAt(place(event)[0]));
    event.preventDefault();
}, {passive: false});

const ACTIONS = {
    ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2), "+": () => zoom(0.6), "=": () => zoom(0.6),
    "-": () => zoom(1 / 0.6), 0: fit, i: showInterval, PageUp: () => stepPass(-1), PageDown: () => stepPass(1),
    ",": () => stepEntry(-1), ".": () => stepEntry(1), ArrowUp: () => stepGroup(-1), ArrowDown: () => stepGroup(1),
    Enter: followFirst, Backspace: back, Escape: () => { trail = []; pick(-1); },
};
document.addEventListener("keydown", (event) => {
    const onControl = /^(BUTTON|SELECT)$/.test(event.target.tagName);
    const action = ACTIONS[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey || (onControl && /^(Enter|Arrow)/.test(event.key))) return;
    event.preventDefault();
    $("tip").hidden = true;
    action();
});

// --- Two at a time ---

// The lanes of B below those of A, on one time axis; passes are those of A.
function join(a, b) {
    const of = {event: a.events.length, group: a.groups.length, unit: a.units.length, slot: a.slots.length};
    const shift = (row, by) => row.map((value, i) => by[i] !== undefined && value !== null && value >= 0 ? value + by[i] : value);
    const both = (key, by) => a[key].concat(b[key].map((row) => shift(row, by)));
    const named = (side, list) => list.map((name) => side + name);
    const units = (side, list) => list.map((unit) => ({...unit, name: side + unit.name}));
    return {
        streams: a.streams.concat(b.streams.map((stream) => stream + a.said.length)), said: a.said.concat(b.said),
        name: "A and B", tile: a.tile, passes: a.passes, end: Math.max(a.end, b.end), steady: a.steady, marks: a.marks,
        groups: named("A ", a.groups).concat(named("B ", b.groups)), units: units("A ", a.units).concat(units("B ", b.units)),
        slots: named("A ", a.slots).concat(named("B ", b.slots)), events: both("events", {5: of.group}),
        stalls: both("stalls", {0: of.event, 4: of.event}), uses: both("uses", {0: of.event, 1: of.unit}),
        flows: both("flows", {0: of.event, 1: of.event}), lives: both("lives", {0: of.slot, 5: of.event}),
        second: {from: of, steady: b.steady},
    };
}

// --- Beginning ---

function choose(number) {
    view = data.views[number];
    if (!view.lanes) prepare(view);
    trail = [];
    picked = -1;
    $("interval").disabled = !view.steady;
    resize();
    if (view.look) show(view.look[0], view.look[1]); else fit();
    showDetails();
}

function showLegend() {
    const key = (style, text, cls) => {
        const span = element("span", undefined, $("legend"));
        const box = element("i", undefined, span);
        if (style) box.style.background = style;
        if (cls) box.className = cls;
        span.append(text);
    };
    const names = ["h0", "h1", "h2", "h3", "h4", "h5", "sync", "fence"];
    data.colours.forEach((meaning, i) => { if (meaning) key("var(--" + names[i] + ")", meaning); });
    key("", "held", "stall");
    const first = names[data.colours.findIndex((meaning) => meaning)];
    key("color-mix(in srgb, var(--" + first + ") 38%, var(--paper))", "in flight");
    key("", "what the cycles come from", "outlined");
}

if (data.pair) data.views.unshift(join(data.views[data.pair[0]], data.views[data.pair[1]]));
$("title").textContent = data.title;
data.subtitles.forEach((text) => { element("div", text, $("subtitle")); });
document.title = data.title;
data.views.forEach((v, i) => { element("option", v.name, $("views")).value = i; });
$("views").hidden = data.views.length < 2;
$("views").addEventListener("change", (event) => choose(Number(event.target.value)));
$("fit").addEventListener("click", fit);
$("interval").addEventListener("click", showInterval);
$("before").addEventListener("click", () => stepPass(-1));
$("after").addEventListener("click", () => stepPass(1));
$("in").addEventListener("click", () => zoom(0.6));
$("out").addEventListener("click", () => zoom(1 / 0.6));
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); redraw(); });
new ResizeObserver(() => { if (view) resize(); }).observe(plot);
readColours();
showLegend();
choose(0);
})();
