/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether every path through a function is one that the schedule has: language inclusion, by the subset construction of the
 * schedule's automaton along the control-flow graph (Rabin and Scott, 1959). Nothing is known of what decides
 * a branch, but for two things: who has not been let through by a wait tries again, and where a branch passes nothing by
 * but what one thread executes, that thread does not take it.
 */
#include "audit/match/sass_roles.h"

#include "audit/sass/sass.h"
#include "base/diag.h"
#include "base/key_index.h"
#include "base/text.h"
#include "ir/schedule.h"

#include <string.h>

enum { NO_OP = -1, SEVERAL_OPS = -2 };

/* Copies, stores or wgmmas since the last other event, which are one op. */
typedef struct run {
    int tag;   /* of the op, NO_OP or SEVERAL_OPS */
    int count; /* of instructions */
} run;

/* A block, and the nodes of the automaton that a thread may be before. */
typedef struct state {
    int block;
    bool retries; /* the wait before has not let it through */
    run run;
    unsigned char *nodes;
} state;

typedef struct state_list {
    state *items;
    size_t count;
    size_t capacity;
} state_list;

typedef struct walk {
    swp_context *ctx;
    const swp_flow *flow;
    const swp_role_language *language;
    swp_role_paths which;
    bool (*skips)[2]; /* by block and successor: nobody who is followed goes that way */
    state_list states;
    swp_key_index index;
    size_t set_size;
    unsigned char *now; /* of the block that is gone through */
    unsigned char *then;
    int *stack;
    bool retries;
    run run;
    int *sizes; /* NULL: they are known */
    swp_role_mismatch *out;
} walk;

/* More than any kernel has. */
enum { MOST_STATES = 1 << 20 };

static bool has(const unsigned char *set, int node)
{
    return (set[node / 8] >> node % 8 & 1) != 0;
}

/* Adds a node, and all to which it goes on without an event. */
static void add_closed(const walk *w, unsigned char *set, int node)
{
    int depth = 0;
    w->stack[depth++] = node;
    while (depth > 0) {
        const int at = w->stack[--depth];
        if (at < 0 || has(set, at))
            continue;
        set[at / 8] |= (unsigned char)(1U << at % 8);
        const swp_role_node *n = &w->language->items[at];
        const bool passes = w->which == SWP_ALL_PATHS && n->is_of_one_thread;
        if (n->event.kind == SWP_SASS_EVENT_NONE || passes) {
            w->stack[depth++] = n->next;
            w->stack[depth++] = n->other;
        }
    }
}

/* --- events --- */

static bool is_wait_for_groups(swp_sass_event_kind kind)
{
    return kind == SWP_SASS_EVENT_MATRIX_WAIT || kind == SWP_SASS_EVENT_BULK_WAIT;
}

static bool is_same(const walk *w, swp_sass_event wanted, swp_sass_event found)
{
    if (wanted.kind != found.kind)
        return false;
    if (is_wait_for_groups(found.kind) && w->which != SWP_ELECTED_PATHS)
        return found.value != SWP_ANY_VALUE && found.value <= wanted.value;
    return found.value == wanted.value || found.value == SWP_ANY_VALUE;
}

/* What may stand anywhere: it orders more than the schedule asks for, no less. */
static bool is_harmless(const walk *w, swp_sass_event_kind kind)
{
    return kind == SWP_SASS_EVENT_MATRIX_FENCE || kind == SWP_SASS_EVENT_FENCE_ASYNC ||
           (is_wait_for_groups(kind) && w->which != SWP_ELECTED_PATHS);
}

/* The op that the schedule has in place of what was found. */
static swp_status describe(const walk *w, const unsigned char *set, const char **out)
{
    const swp_schedule *schedule = w->language->schedule;
    swp_text text = {.ctx = w->ctx};
    char *why = NULL;
    for (size_t i = 0; i < w->language->count; i++) {
        const swp_role_node *n = &w->language->items[i];
        char list[SWP_LIST_NAME_SIZE];
        if (!has(set, (int)i) || !n->op)
            continue;
        swp_text_format(&text, "stands where the schedule has %s (%s of role %s, entry %d)",
                        swp_schedule_op_name(schedule, n->op->tag),
                        swp_ir_list_name(schedule, n->form, n->phase, list),
                        schedule->streams[n->stream].name, n->entry);
        SWP_TRY(swp_text_end(&text, &why, NULL));
        *out = why;
        return SWP_OK;
    }
    *out = "stands where the schedule initialises its mbarriers, or has nothing more";
    return SWP_OK;
}

static swp_status mismatch(const walk *w, const swp_insn *at, const char *why)
{
    w->out->at = at;
    if (why) {
        w->out->why = why;
        return SWP_OK;
    }
    return describe(w, w->now, &w->out->why);
}

/* The first op of a kind says how many instructions it is. */
static void end_run(walk *w)
{
    if (w->sizes && w->run.tag >= 0 && w->sizes[w->run.tag] == 0)
        w->sizes[w->run.tag] = w->run.count;
    w->run = (run){.tag = NO_OP};
}

/* One instruction more of an op, whose node this is. */
static void add_to_run(walk *w, const swp_role_node *node, bool first_match)
{
    const int tag = node->op->tag;
    if (first_match)
        w->run.count++;
    if (w->run.tag == NO_OP)
        w->run.tag = tag;
    else if (w->run.tag != tag)
        w->run.tag = SEVERAL_OPS;
}

/* The nodes behind those that the event is; returns whether it is any. */
static bool step(walk *w, swp_sass_event event)
{
    bool any = false;
    memset(w->then, 0, w->set_size);
    for (size_t i = 0; i < w->language->count; i++) {
        const swp_role_node *node = &w->language->items[i];
        if (!has(w->now, (int)i) || !is_same(w, node->event, event))
            continue;
        add_closed(w, w->then, node->next);
        if (w->sizes && swp_match_is_work(event.kind))
            add_to_run(w, node, !any);
        any = true;
    }
    return any;
}

static swp_status take(walk *w, const swp_insn *insn, swp_sass_event event)
{
    if (event.on_condition && !swp_sass_may_be_of_one_thread(event.kind))
        return mismatch(w, insn, "runs for some threads only");
    if (!swp_match_is_work(event.kind))
        end_run(w);
    const bool stays =
        is_harmless(w, event.kind) || (event.on_condition && w->which == SWP_ALL_PATHS);
    if (!step(w, event) && !stays)
        return mismatch(w, insn, NULL);
    for (size_t i = 0; i < w->set_size; i++)
        w->now[i] = (unsigned char)(w->then[i] | (stays ? w->now[i] : 0));
    return SWP_OK;
}

static swp_status take_insn(walk *w, const swp_insn *insn)
{
    swp_sass_event events[SWP_MOST_SASS_EVENTS];
    const int count = swp_sass_events_of(insn, events);
    if (count == 0 && !swp_sass_is_beside_roles(insn))
        return mismatch(w, insn,
                        insn->unknown ? insn->unknown
                                      : "copies, or calls code, in a way that warp roles do not");
    if (count > 0 && w->retries && events[0].kind != SWP_SASS_EVENT_WAIT)
        return mismatch(w, insn, "is reached though a wait has not let the thread through");
    if (w->retries && count > 0) {
        w->retries = false;
        return SWP_OK;
    }
    for (int i = 0; i < count && !w->out->why; i++)
        SWP_TRY(take(w, insn, events[i]));
    return SWP_OK;
}

/* --- branches --- */

/* The last wait of a block, whose success its branch has to be on; NULL: it has none. */
static const swp_insn *wait_of(const swp_flow *flow, const swp_block *block)
{
    const swp_insn *wait = NULL;
    for (int i = block->first; i < block->end; i++) {
        swp_sass_event events[SWP_MOST_SASS_EVENTS];
        const swp_insn *insn = &flow->code->insns.items[i];
        if (swp_sass_events_of(insn, events) > 0)
            wait = events[0].kind == SWP_SASS_EVENT_WAIT ? insn : wait;
    }
    return wait;
}

/* The successor for who is not let through; -1: the branch is not on that. */
static int failing_side(const swp_flow *flow, const swp_block *block, const swp_insn *wait)
{
    bool negated = false;
    const swp_insn *last = &flow->code->insns.items[block->end - 1];
    const swp_slice success = swp_sass_success_of(wait);
    if (last->kind != SWP_INSN_BRANCH || block->successor_count < 2 || !success.length ||
        !swp_sass_branches_on(last, success, &negated))
        return -1;
    return negated ? 1 : 0; /* the target is the last one */
}

/*
 * Whether a region does something, and whether one thread may be the only one that does all of it. Who only waits may be
 * trying again.
 */
static void look_into(const swp_flow *flow, const bool *region, bool *any, bool *one_thread)
{
    bool only_waits = true;
    *any = false;
    *one_thread = true;
    for (int b = 0; b < flow->block_count; b++)
        for (int i = flow->blocks[b].first; region[b] && i < flow->blocks[b].end; i++) {
            swp_sass_event events[SWP_MOST_SASS_EVENTS];
            if (swp_sass_events_of(&flow->code->insns.items[i], events) == 0)
                continue;
            *any = true;
            *one_thread &= swp_sass_may_be_of_one_thread(events[0].kind);
            only_waits &= events[0].kind == SWP_SASS_EVENT_WAIT;
        }
    *one_thread &= !only_waits;
}

/* Where one side of a branch is what one thread does and the other nothing, that thread takes the first. */
static swp_status find_skips(walk *w)
{
    const swp_flow *flow = w->flow;
    bool *region = NULL;
    SWP_TRY(SWP_TAKE(w->ctx, (size_t)flow->block_count, &w->skips));
    SWP_TRY(SWP_TAKE(w->ctx, (size_t)flow->block_count, &region));
    for (int b = 0; b < flow->block_count && w->which != SWP_ALL_PATHS; b++) {
        const swp_block *block = &flow->blocks[b];
        bool any[2];
        bool one_thread[2];
        if (!block->reached || block->successor_count < 2 ||
            block->post_dominator == SWP_NO_BLOCK || swp_flow_leaves_loop(flow, b))
            continue;
        for (int side = 0; side < 2; side++) {
            memset(region, 0, (size_t)flow->block_count * sizeof *region);
            swp_flow_mark_influence_region(flow, b, side, region);
            look_into(flow, region, &any[side], &one_thread[side]);
        }
        for (int side = 0; side < 2; side++)
            w->skips[b][side] = !any[side] && any[!side] && one_thread[!side];
    }
    return SWP_OK;
}

/* --- the walk --- */

static swp_status reach(walk *w, int block, bool retries)
{
    const int head[] = {block, w->run.tag, w->run.count, 1 + retries}; /* a key does not end in 0 */
    unsigned char *key = NULL;
    int number = 0;
    const size_t size = w->set_size + sizeof head;
    SWP_TRY(SWP_TAKE(w->ctx, size, &key));
    memcpy(key, w->now, w->set_size);
    memcpy(key + w->set_size, head, sizeof head);
    SWP_TRY(swp_key_index_number(w->ctx, &w->index, key, size, (int)w->states.count, &number));
    if (number < (int)w->states.count)
        return SWP_OK;
    if (number >= MOST_STATES)
        return mismatch(w, &w->flow->code->insns.items[w->flow->blocks[block].first],
                        "is where the audit gives up: too many ways lead here");
    state_list *states = &w->states;
    const state added = {block, retries, w->run, key};
    return SWP_PUSH(w->ctx, states, added);
}

static bool may_end(const walk *w)
{
    for (size_t i = 0; i < w->language->count; i++)
        if (has(w->now, (int)i) && w->language->items[i].accepts)
            return true;
    return false;
}

static swp_status leave_block(walk *w, int number)
{
    const swp_block *block = &w->flow->blocks[number];
    const swp_insn *last = &w->flow->code->insns.items[block->end - 1];
    const swp_insn *wait = wait_of(w->flow, block);
    const int failing = wait ? failing_side(w->flow, block, wait) : -1;
    if (wait && failing < 0)
        return mismatch(w, wait, "does not decide whether the thread goes on");
    if (last->value == SWP_SASS_TRAPS)
        return SWP_OK;
    if (block->successor_count == 0 && (w->retries || !may_end(w)))
        return mismatch(w, last, w->retries ? "ends a thread that waits" : NULL);
    const bool repeats = swp_sass_repeats_by_thread(last);
    const run open = w->run;
    for (int side = 0; side < block->successor_count && !w->out->why; side++) {
        const int to = block->successors[side];
        const bool counts = !swp_flow_is_back_edge(w->flow, number, to);
        w->run = counts || open.tag == NO_OP ? open : (run){.tag = SEVERAL_OPS};
        if (!w->skips[number][side] && !(repeats && side == 1))
            SWP_TRY(reach(w, to, w->retries || side == failing));
    }
    return SWP_OK;
}

static swp_status walk_block(walk *w, size_t at)
{
    const state from = w->states.items[at];
    const swp_block *block = &w->flow->blocks[from.block];
    memcpy(w->now, from.nodes, w->set_size);
    w->retries = from.retries;
    w->run = from.run;
    for (int i = block->first; i < block->end && !w->out->why; i++)
        SWP_TRY(take_insn(w, &w->flow->code->insns.items[i]));
    return w->out->why ? SWP_OK : leave_block(w, from.block);
}

swp_status swp_match_role_paths(swp_context *ctx, const swp_flow *flow,
                                const swp_role_language *language, swp_role_paths which, int *sizes,
                                swp_role_mismatch *out)
{
    walk w = {.ctx = ctx,
              .flow = flow,
              .language = language,
              .which = which,
              .set_size = language->count / 8 + 1,
              .run = {.tag = NO_OP},
              .sizes = sizes,
              .out = out};
    *out = (swp_role_mismatch){0};
    SWP_TRY(SWP_TAKE(ctx, w.set_size, &w.now));
    SWP_TRY(SWP_TAKE(ctx, w.set_size, &w.then));
    SWP_TRY(SWP_TAKE(ctx, 2 * language->count + 1, &w.stack));
    SWP_TRY(find_skips(&w));
    add_closed(&w, w.now, language->start);
    SWP_TRY(reach(&w, 0, false));
    for (size_t i = 0; i < w.states.count && !out->why; i++)
        SWP_TRY(walk_block(&w, i));
    return SWP_OK;
}
