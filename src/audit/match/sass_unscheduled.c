/* SPDX-License-Identifier: Apache-2.0 */
/* What stands beside the instructions of a schedule in code that is compared only. */
#include "audit/flow/findings.h"
#include "audit/match/sass_compare.h"
#include "audit/sass/sass.h"

#include <limits.h>

typedef struct search {
    swp_context *ctx;
    const swp_flow *flow;
    const bool *reached; /* by instruction of the function: on some path, of this flow or another */
    const swp_path *path; /* NULL: the function has no loop */
    int first_copy;       /* instruction */
    int last;             /* instruction */
    int drained;          /* the first barrier behind the last read; INT_MAX: there is none */
    size_t known;         /* obstacles of other functions */
    swp_audit_report *out;
} search;

static const swp_insn *insn_at(const search *s, int index)
{
    return &s->flow->code->insns.items[index];
}

/* The first of each kind. */
static swp_status add(const search *s, int index, const char *why)
{
    swp_audit_note_list *obstacles = &s->out->obstacles;
    for (size_t i = s->known; i < obstacles->count; i++)
        if (obstacles->items[i].why == why)
            return SWP_OK;
    return swp_flow_add_note(s->ctx, insn_at(s, index), why, obstacles);
}

/* Copies, fragment reads and multiplications: what no function has by accident. */
static bool is_work(const swp_insn *insn)
{
    return insn->kind == SWP_INSN_COPY_TO_LDS || insn->kind == SWP_INSN_LDS_READ ||
           insn->kind == SWP_INSN_MATRIX;
}

/* Where the schedule begins and ends, in the order in which the code stands. */
static void find_ends(search *s)
{
    s->first_copy = INT_MAX;
    s->drained = INT_MAX;
    for (int phase = 0; s->path && phase < 3; phase++) {
        const swp_path_phase *code = &s->path->phases[phase];
        for (size_t i = 0; i < code->count; i++) {
            const int at = code->items[i];
            const swp_insn_kind kind = insn_at(s, at)->kind;
            if (kind == SWP_INSN_COPY_TO_LDS && at < s->first_copy)
                s->first_copy = at;
            if (kind == SWP_INSN_LDS_READ || kind == SWP_INSN_COPY_TO_LDS)
                s->drained = INT_MAX;
            else if (kind == SWP_INSN_BARRIER && s->drained == INT_MAX)
                s->drained = at;
            if (is_work(insn_at(s, at)))
                s->last = at;
        }
    }
}

static const char *problem_of(const search *s, int block, int index)
{
    const swp_insn *insn = insn_at(s, index);
    const bool in_loop = s->path && swp_flow_in_loop(s->flow, s->path->loop, block);
    if (!s->reached[index - s->flow->function->first])
        return is_work(insn) ? "no path leads here, as far as the audit follows it" : NULL;
    if (!s->flow->blocks[block].reached)
        return NULL;
    if (insn->unknown)
        return insn->unknown;
    if (!s->path)
        return is_work(insn) ? "stands in a function without a loop" : NULL;
    if (insn->value == SWP_SASS_CALLS)
        return "calls code that the audit does not follow";
    if (insn->value == SWP_SASS_LEAVES && (in_loop || (index > s->first_copy && index < s->last)))
        return "ends some threads in the middle of the schedule";
    if (insn->value == SWP_SASS_STORES &&
        (in_loop || (index > s->first_copy && index < s->drained)))
        return "stores to shared memory, which the schedule's reads and copies use";
    return NULL;
}

swp_status swp_match_find_unscheduled(swp_context *ctx, const swp_flow *flow, const bool *reached,
                                      const swp_path *path, swp_audit_report *out)
{
    search s = {.ctx = ctx,
                .flow = flow,
                .reached = reached,
                .path = path,
                .known = out->obstacles.count,
                .out = out};
    find_ends(&s);
    for (int block = 0; block < flow->block_count; block++)
        for (int i = flow->blocks[block].first; i < flow->blocks[block].end; i++) {
            const char *problem = problem_of(&s, block, i);
            if (problem)
                SWP_TRY(add(&s, i, problem));
        }
    return SWP_OK;
}
