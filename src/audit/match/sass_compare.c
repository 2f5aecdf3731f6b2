/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that is compared only, function by function, each with a main loop of its own.
 *
 * A BRA.CONV is taken by warps whose threads are together; what follows it does the same as where it
 * goes, for warps whose threads are not. So a function is followed once with all of them taken, and
 * once for each with that one not taken: every mixture of paths is made of pieces that have been
 * compared.
 */
#include "audit/match/sass_compare.h"

#include "audit/flow/findings.h"
#include "audit/match/entry_insn.h"
#include "audit/sass/sass.h"
#include "base/diag.h"
#include "ir/implied_barriers.h"
#include "ir/schedule.h"

/* BRA.CONVs of a function that are followed untaken; ptxas writes a few. */
enum { MOST_PATHS = 64 };

typedef struct comparer {
    swp_context *ctx;
    const char *file;
    const swp_function *function;
    const swp_schedule *schedule;
    swp_effects effects;   /* of its entries */
    swp_machine_code code; /* a copy, whose branches are turned off one by one */
    bool *reached;         /* by instruction of the function: on some path */
    swp_audit_report *out;
} comparer;

static swp_status copy_code(comparer *c, const swp_machine_code *code)
{
    swp_insn *insns = NULL;
    SWP_TRY(SWP_TAKE(c->ctx, code->insns.count, &insns));
    for (size_t i = 0; i < code->insns.count; i++)
        insns[i] = code->insns.items[i];
    c->code = *code;
    c->code.insns.items = insns;
    return SWP_OK;
}

static bool is_kept(const swp_audit_report *report)
{
    for (size_t i = 0; i < report->changes.count; i++)
        if (report->changes.items[i].weakens)
            return false;
    return !report->obstacles.count;
}

/* The loop that looks most like the main one; -1: none does. */
static int heaviest_loop(const swp_flow *flow)
{
    int heaviest = -1;
    for (int l = 0; l < flow->loop_count; l++) {
        const int weight = swp_match_path_weight(flow, l);
        if (weight > 0 && (heaviest < 0 || weight > swp_match_path_weight(flow, heaviest)))
            heaviest = l;
    }
    return heaviest;
}

static void mark_reached(comparer *c, const swp_flow *flow)
{
    for (int b = 0; b < flow->block_count; b++)
        for (int i = flow->blocks[b].first; i < flow->blocks[b].end; i++)
            c->reached[i - c->function->first] |= flow->blocks[b].reached;
}

/* --- the barriers that one group executes alone --- */

static bool is_commit_or_barrier(swp_insn_kind kind)
{
    return kind == SWP_INSN_COMMIT || kind == SWP_INSN_BARRIER;
}

/* Groups of copies and barriers among the first `count` instructions of a phase. */
static int commits_and_barriers_before(const swp_path *path, swp_phase phase, size_t count)
{
    int points = 0;
    for (size_t i = 0; i < count && i < path->phases[phase].count; i++)
        points +=
            is_commit_or_barrier(path->flow->code->insns.items[path->phases[phase].items[i]].kind);
    return points;
}

/* The same among entries. */
static int commits_and_barriers_wanted(const swp_effects *effects, swp_phase phase, size_t count)
{
    int points = 0;
    for (int i = 0; i < effects->lengths[phase] && (size_t)i < count; i++) {
        const swp_insn_kind kind = swp_match_entry_insn(&effects->entries[phase][i]);
        points += kind == SWP_INSN_LOAD_TO_LDS || kind == SWP_INSN_BARRIER;
    }
    return points;
}

/* All warps synchronise at one barrier, by its number. */
static bool is_that_of_loop(const swp_path *path, int barrier)
{
    const swp_insn *insns = path->flow->code->insns.items;
    const swp_path_phase *loop = &path->phases[SWP_KERNEL];
    for (size_t i = 0; i < loop->count; i++)
        if (insns[loop->items[i]].kind == SWP_INSN_BARRIER)
            return insns[loop->items[i]].value_number == insns[barrier].value_number;
    return true;
}

static const char *problem_of_lag(const comparer *c, const swp_path *path, swp_phase phase)
{
    const swp_machine *machine = &c->schedule->machine;
    const size_t entries = swp_schedule_phase(c->schedule, phase)->count;
    const bool at_end = phase == SWP_EPILOGUE;
    const size_t index = at_end ? entries : (size_t)machine->lag_prologue_index;
    const bool lags = swp_ir_lags(machine);
    const bool wanted =
        at_end ? lags && machine->lag_end_barrier : swp_ir_lag_entry(c->schedule) >= 0;
    const bool found = path->lag_barrier[phase] >= 0;
    if (wanted != found)
        return wanted ? "the barrier that one group of warps executes alone is missing"
                      : "is on a condition, which no barrier of the schedule is";
    if (found && !is_that_of_loop(path, path->lag_barrier[phase]))
        return "is executed by some warps alone, and is another barrier than the loop's";
    if (found && commits_and_barriers_before(path, phase, path->lag_position[phase]) !=
                     commits_and_barriers_wanted(&c->effects, phase, index))
        return "is executed by some warps alone, elsewhere than the schedule has it";
    return NULL;
}

/* Which warps execute it is not looked at. */
static swp_status check_lag(comparer *c, const swp_path *path)
{
    static const swp_phase phases[] = {SWP_PROLOGUE, SWP_EPILOGUE};
    for (size_t i = 0; i < 2; i++) {
        const char *problem = problem_of_lag(c, path, phases[i]);
        const int barrier = path->lag_barrier[phases[i]];
        if (problem)
            SWP_TRY(swp_flow_add_note(c->ctx, barrier < 0 ? NULL : &c->code.insns.items[barrier],
                                      problem, &c->out->obstacles));
    }
    return SWP_OK;
}

/* --- paths --- */

/* Compares the path that falls through no BRA.CONV but `untaken`; NULL: through none. */
static swp_status compare_path(comparer *c, const swp_flow *flow, const swp_insn *untaken)
{
    swp_path path;
    const int loop = heaviest_loop(flow);
    if (loop < 0)
        return swp_match_find_unscheduled(c->ctx, flow, c->reached, NULL, c->out);
    if (!untaken) {
        c->out->main_loop = (int)c->out->loops.count;
        SWP_TRY(swp_flow_add_loop(c->ctx, flow, loop, 1, c->out));
    }
    SWP_TRY(swp_match_path_find(c->ctx, flow, loop, &path));
    SWP_TRY(swp_match_find_unscheduled(c->ctx, flow, c->reached, &path, c->out));
    if (path.problem)
        return swp_flow_add_note(c->ctx, &c->code.insns.items[path.problem_at], path.problem,
                                 &c->out->obstacles);
    SWP_TRY(check_lag(c, &path));
    return swp_match_sass_path(c->ctx, &path, untaken, &c->effects, c->out);
}

/* Follows the function, with the BRA.CONV `untaken` not taken; -1: with all taken. */
static swp_status follow(comparer *c, int untaken, bool compares)
{
    swp_flow flow;
    swp_insn *insn = untaken < 0 ? NULL : &c->code.insns.items[untaken];
    const swp_insn taken = insn ? *insn : (swp_insn){0};
    if (insn) {
        insn->kind = SWP_INSN_NOTHING;
        insn->target = SWP_NO_TARGET;
    }
    SWP_TRY(swp_flow_build(c->ctx, c->file, &c->code, c->function, &flow));
    if (compares)
        SWP_TRY(compare_path(c, &flow, insn));
    else
        mark_reached(c, &flow);
    if (insn)
        *insn = taken;
    return SWP_OK;
}

static swp_status follow_all(comparer *c, bool compares)
{
    int paths = 0;
    SWP_TRY(follow(c, -1, compares));
    for (int i = c->function->first; i < c->function->end; i++) {
        swp_insn *insn = &c->code.insns.items[i];
        if (insn->value != SWP_SASS_IF_CONVERGED || (compares && !is_kept(c->out)))
            continue;
        if (paths++ == MOST_PATHS)
            return swp_flow_add_note(c->ctx, insn, "is one BRA.CONV more than are followed",
                                     &c->out->obstacles);
        SWP_TRY(follow(c, i, compares));
    }
    return SWP_OK;
}

static swp_status compare_function(comparer *c)
{
    const size_t count = (size_t)(c->function->end - c->function->first);
    c->out->instructions += (int)count;
    SWP_TRY(SWP_TAKE(c->ctx, count, &c->reached));
    SWP_TRY(follow_all(c, false));
    return follow_all(c, true);
}

swp_status swp_match_sass(swp_context *ctx, const char *file, const swp_machine_code *code,
                          const swp_schedule *schedule, swp_audit_report *out)
{
    const swp_place place = {file, 0, 0};
    comparer c = {.ctx = ctx, .file = file, .schedule = schedule, .out = out};
    SWP_TRY(swp_code_copy_printable_name(ctx, schedule->name, &out->schedule));
    SWP_TRY(swp_ir_list_loop_barrier(ctx, schedule, &c.schedule));
    SWP_TRY(swp_ir_effects(ctx, c.schedule, &c.effects));
    SWP_TRY(copy_code(&c, code));
    for (size_t i = 0; i < code->functions.count; i++) {
        c.function = &code->functions.items[i];
        SWP_TRY(compare_function(&c));
    }
    if (!out->loops.count)
        return swp_error(ctx, SWP_E0814, place, "give the kernel that carries out the schedule",
                         "no loop of this file multiplies matrices");
    out->answer = is_kept(out) ? SWP_AUDIT_KEPT : SWP_AUDIT_UNKNOWN;
    return SWP_OK;
}
