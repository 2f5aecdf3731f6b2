/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that is compared only, function by function, each with a main loop of its own.
 *
 * A BRA.CONV is taken by warps whose threads are together; what follows it does the same as where it goes,
 * for warps whose threads are not. So a function is followed once with all of them taken, and once for each
 * with that one passed by: every mixture of ways is made of pieces that have been compared.
 */
#include "audit/match/sass_compare.h"

#include "audit/flow/findings.h"
#include "audit/sass/sass.h"
#include "base/diag.h"

/* BRA.CONVs of a function that are passed by; ptxas writes a few. */
enum { MOST_PATHS = 64 };

typedef struct judge {
    swp_context *ctx;
    const char *file;
    const swp_function *function;
    const swp_schedule *schedule;
    swp_machine_code code; /* a copy, whose branches are turned off one by one */
    bool *reached;         /* by instruction of the function: on some way */
    swp_audit_report *out;
} judge;

static swp_status copy_code(judge *j, const swp_machine_code *code)
{
    swp_insn *insns = NULL;
    SWP_TRY(SWP_TAKE(j->ctx, code->insns.count, &insns));
    for (size_t i = 0; i < code->insns.count; i++)
        insns[i] = code->insns.items[i];
    j->code = *code;
    j->code.insns.items = insns;
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

static void mark_reached(judge *j, const swp_flow *flow)
{
    for (int b = 0; b < flow->block_count; b++)
        for (int i = flow->blocks[b].first; i < flow->blocks[b].end; i++)
            j->reached[i - j->function->first] |= flow->blocks[b].reached;
}

/* --- the barriers that one group meets alone --- */

static bool is_sync_point(swp_insn_kind kind)
{
    return kind == SWP_INSN_COMMIT || kind == SWP_INSN_BARRIER;
}

/* Groups of copies and barriers among the first `count` instructions of a phase. */
static int sync_points_before(const swp_path *path, swp_phase phase, size_t count)
{
    int points = 0;
    for (size_t i = 0; i < count && i < path->phases[phase].count; i++)
        points += is_sync_point(path->flow->code->insns.items[path->phases[phase].items[i]].kind);
    return points;
}

/* The same among entries. */
static int sync_points_wanted(const swp_schedule *schedule, swp_phase phase, size_t count)
{
    const swp_entry_list *entries = swp_schedule_phase(schedule, phase);
    int points = 0;
    for (size_t i = 0; i < count && i < entries->count; i++)
        points += entries->items[i].op.role == SWP_GLOBAL_LOAD ||
                  entries->items[i].op.tag == SWP_TAG_BARRIER;
    return points;
}

/* All warps meet one barrier, by its number. */
static bool is_that_of_loop(const swp_path *path, int barrier)
{
    const swp_insn *insns = path->flow->code->insns.items;
    const swp_path_phase *loop = &path->phases[SWP_KERNEL];
    for (size_t i = 0; i < loop->count; i++)
        if (insns[loop->items[i]].kind == SWP_INSN_BARRIER)
            return insns[loop->items[i]].value_number == insns[barrier].value_number;
    return true;
}

static const char *problem_of_lag(const judge *j, const swp_path *path, swp_phase phase)
{
    const swp_machine *machine = &j->schedule->machine;
    const size_t entries = swp_schedule_phase(j->schedule, phase)->count;
    const bool at_end = phase == SWP_EPILOGUE;
    const size_t index = at_end ? entries : (size_t)machine->lag_prologue_index;
    const bool lags = machine->groups == 2 && machine->lag == 1;
    const bool wanted = lags && (at_end ? machine->lag_end_barrier : index <= entries);
    const bool found = path->lag_barrier[phase] >= 0;
    if (wanted != found)
        return wanted ? "the barrier that one group of warps meets alone is missing"
                      : "is met on a condition, which no barrier of the schedule is";
    if (found && !is_that_of_loop(path, path->lag_barrier[phase]))
        return "is met alone by some warps, and is another barrier than the loop's";
    if (found && sync_points_before(path, phase, path->lag_position[phase]) !=
                     sync_points_wanted(j->schedule, phase, index))
        return "is met alone by some warps, elsewhere than the schedule has it";
    return NULL;
}

/* Which warps meet it is not looked at. */
static swp_status check_lag(judge *j, const swp_path *path)
{
    static const swp_phase phases[] = {SWP_PROLOGUE, SWP_EPILOGUE};
    for (size_t i = 0; i < 2; i++) {
        const char *problem = problem_of_lag(j, path, phases[i]);
        const int barrier = path->lag_barrier[phases[i]];
        if (problem)
            SWP_TRY(swp_flow_add_note(j->ctx, barrier < 0 ? NULL : &j->code.insns.items[barrier],
                                      problem, &j->out->obstacles));
    }
    return SWP_OK;
}

/* --- ways --- */

/* Compares the ways that lead behind no BRA.CONV but `parts`; NULL: behind none. */
static swp_status compare_path(judge *j, const swp_flow *flow, const swp_insn *untaken)
{
    swp_path path;
    const int loop = heaviest_loop(flow);
    if (loop < 0)
        return swp_match_find_unscheduled(j->ctx, flow, j->reached, NULL, j->out);
    if (!untaken) {
        j->out->main_loop = (int)j->out->loops.count;
        SWP_TRY(swp_flow_add_loop(j->ctx, flow, loop, 1, j->out));
    }
    SWP_TRY(swp_match_path_find(j->ctx, flow, loop, &path));
    SWP_TRY(swp_match_find_unscheduled(j->ctx, flow, j->reached, &path, j->out));
    if (path.problem)
        return swp_flow_add_note(j->ctx, &j->code.insns.items[path.problem_at], path.problem,
                                 &j->out->obstacles);
    SWP_TRY(check_lag(j, &path));
    return swp_match_sass_path(j->ctx, &path, untaken, j->schedule, j->out);
}

/* Follows the function, with the BRA.CONV `parts` passed by; -1: with none. */
static swp_status follow(judge *j, int untaken, bool compares)
{
    swp_flow flow;
    swp_insn *insn = untaken < 0 ? NULL : &j->code.insns.items[untaken];
    const swp_insn taken = insn ? *insn : (swp_insn){0};
    if (insn) {
        insn->kind = SWP_INSN_NOTHING;
        insn->target = SWP_NO_TARGET;
    }
    SWP_TRY(swp_flow_build(j->ctx, j->file, &j->code, j->function, &flow));
    if (compares)
        SWP_TRY(compare_path(j, &flow, insn));
    else
        mark_reached(j, &flow);
    if (insn)
        *insn = taken;
    return SWP_OK;
}

static swp_status follow_all(judge *j, bool compares)
{
    int paths = 0;
    SWP_TRY(follow(j, -1, compares));
    for (int i = j->function->first; i < j->function->end; i++) {
        swp_insn *insn = &j->code.insns.items[i];
        if (insn->value != SWP_SASS_IF_CONVERGED || (compares && !is_kept(j->out)))
            continue;
        if (paths++ == MOST_PATHS)
            return swp_flow_add_note(j->ctx, insn, "is one BRA.CONV more than are followed",
                                     &j->out->obstacles);
        SWP_TRY(follow(j, i, compares));
    }
    return SWP_OK;
}

static swp_status compare_function(judge *j)
{
    const size_t count = (size_t)(j->function->end - j->function->first);
    j->out->instructions += (int)count;
    SWP_TRY(SWP_TAKE(j->ctx, count, &j->reached));
    SWP_TRY(follow_all(j, false));
    return follow_all(j, true);
}

swp_status swp_match_sass(swp_context *ctx, const char *file, const swp_machine_code *code,
                          const swp_schedule *schedule, swp_audit_report *out)
{
    const swp_place place = {file, 0, 0};
    judge j = {.ctx = ctx, .file = file, .schedule = schedule, .out = out};
    if (!schedule)
        return swp_error(ctx, SWP_E0817, place, "give its schedule: --schedule",
                         "machine code for %s is compared with a schedule, not judged alone",
                         code->target);
    SWP_TRY(swp_code_copy_printable_name(ctx, schedule->name, &out->schedule));
    SWP_TRY(copy_code(&j, code));
    for (size_t i = 0; i < code->functions.count; i++) {
        j.function = &code->functions.items[i];
        SWP_TRY(compare_function(&j));
    }
    if (!out->loops.count)
        return swp_error(ctx, SWP_E0814, place, "give the kernel that carries out the schedule",
                         "no loop of this file multiplies matrices");
    out->answer = is_kept(out) ? SWP_AUDIT_KEPT : SWP_AUDIT_UNKNOWN;
    return SWP_OK;
}
