/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of a draft: a step after the other, each with the lines of several iterations. */
#include "roles_draft.h"

#include <limits.h>
#include <stdlib.h>

/* --- Waits for groups --- */

/* Whether the line is there for the iteration of a run of n. */
static bool is_there(const draft_line *line, int iteration, int n)
{
    return iteration >= 0 && iteration >= line->least && iteration < n - line->cut;
}

/* How many groups are newer than the one that a line waits for in iteration i; -1: that is none of the run. */
static int newer_groups(const draft_body *body, const draft_line *line, int i, int n)
{
    const draft_line *commit = &body->lines[line->commit];
    const int from = i - line->distance + commit->stage;
    int count = 0;
    if (i < line->distance)
        return -1;
    for (int step = from; step <= i + line->stage; step++)
        for (const draft_line *l = body->lines; l < body->lines + body->count; l++) {
            const bool after = step > from || l > commit;
            const bool before = step < i + line->stage || l < line;
            count +=
                l->op.tag == commit->op.tag && after && before && is_there(l, step - l->stage, n);
        }
    return count;
}

enum { FAR = 1000, PASSES = 4 };

/* The least of some passes, so that one number is right for all; `n` is INT_MAX where there is no end in sight. */
static int wait_value(const draft *d, const draft_body *body, const draft_line *line, int i, int n,
                      int passes)
{
    int least = -1;
    for (int p = 0; p < passes; p++) {
        const int base = p * d->tiles_per_pass;
        const int count = newer_groups(body, line, base + i, n == INT_MAX ? n : base + n);
        if (count >= 0 && (least < 0 || count < least))
            least = count;
    }
    return least >= 0 ? least : newer_groups(body, line, FAR, INT_MAX);
}

/* --- Lists --- */

typedef struct writer {
    const draft *d;
    const draft_body *body;
    swp_entry_list *list;
    swp_phase phase;
    int passes; /* with different bases that come to this list */
} writer;

static void push(const writer *w, swp_op op)
{
    const swp_entry entry = {.op = op, .phase = w->phase, .time_slot = (int)w->list->count};
    if (swp_entry_list_push(w->d->ctx, w->list, entry) != SWP_OK)
        abort();
}

static void push_once(const writer *w, draft_when when)
{
    for (int l = 0; l < w->body->count; l++)
        if (w->body->lines[l].when == when)
            push(w, w->body->lines[l].op);
}

static void push_steps(const writer *w, int from, int to, int n)
{
    for (int step = from; step < to; step++)
        for (const draft_line *line = w->body->lines; line < w->body->lines + w->body->count;
             line++) {
            const int i = step - line->stage;
            swp_op op = line->op;
            if (line->when != DRAFT_EACH || !is_there(line, i, n))
                continue;
            op.iteration += i;
            if (line->commit >= 0)
                op.wait_value = wait_value(w->d, w->body, line, i, n, w->passes);
            push(w, op);
        }
}

static void push_epilogue(const draft *d, const draft_body *body, swp_entry_list *list, int rest)
{
    const writer w = {d, body, list, SWP_EPILOGUE, PASSES};
    const int n = d->min_tiles + rest;
    push_steps(&w, body->ahead, n + draft_stages(body), n);
    push_once(&w, DRAFT_LAST);
}

static void push_straight(const draft *d, const draft_body *body, swp_entry_list *list, int n)
{
    const writer w = {d, body, list, SWP_EPILOGUE, 1};
    if (n == 0)
        return;
    push_once(&w, DRAFT_FIRST);
    push_steps(&w, 0, n + draft_stages(body), n);
    push_once(&w, DRAFT_LAST);
}

static void push_tails(const draft *d, const draft_body *body, swp_tails *tails)
{
    if (d->only_whole_passes)
        return;
    tails->epilogue_count = (size_t)d->tiles_per_pass - 1;
    tails->straight_count = (size_t)d->min_tiles;
    tails->epilogues = draft_take(d->ctx, tails->epilogue_count * sizeof *tails->epilogues);
    tails->straight = draft_take(d->ctx, tails->straight_count * sizeof *tails->straight);
    for (size_t i = 0; i < tails->epilogue_count; i++) {
        tails->epilogues[i] = (swp_entry_list){0};
        push_epilogue(d, body, &tails->epilogues[i], (int)i + 1);
    }
    for (size_t i = 0; i < tails->straight_count; i++) {
        tails->straight[i] = (swp_entry_list){0};
        push_straight(d, body, &tails->straight[i], (int)i);
    }
}

/* A line that the kernel has is there in all of its passes. */
static draft_body fitted(const draft *d, draft_body body)
{
    for (int l = 0; l < body.count; l++) {
        draft_line *line = &body.lines[l];
        if (body.ahead - line->stage < line->least)
            line->least = INT_MIN;
        if (body.ahead - d->min_tiles - line->stage > -line->cut)
            line->cut = 0;
    }
    return body;
}

swp_stream draft_stream(const draft *d, const draft_body *wanted)
{
    const draft_body fitting = fitted(d, *wanted);
    const draft_body *body = &fitting;
    swp_stream stream = {
        .name = body->name, .warps = body->warps, .instances = body->instances, .registers = 64};
    const writer prologue = {d, body, &stream.prologue, SWP_PROLOGUE, 1};
    const writer kernel = {d, body, &stream.kernel, SWP_KERNEL, PASSES};
    push_once(&prologue, DRAFT_FIRST);
    push_steps(&prologue, 0, body->ahead, INT_MAX);
    push_steps(&kernel, body->ahead, body->ahead + d->tiles_per_pass, INT_MAX);
    push_epilogue(d, body, &stream.epilogue, 0);
    push_tails(d, body, &stream.tails);
    return stream;
}
