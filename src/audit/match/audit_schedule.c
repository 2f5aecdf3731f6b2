/* SPDX-License-Identifier: Apache-2.0 */
/* The audit of a file against a schedule: each function by itself, then the loop that carries the schedule out. */
#include "swp/audit_schedule.h"

#include "audit/file.h"
#include "audit/match/sass_compare.h"
#include "audit/match/sass_roles.h"
#include "audit/match/schedule.h"
#include "base/diag.h"
#include "base/require.h"
#include "ir/roles.h"
#include "ir/schedule.h"

/* The loop that looks most like the main one. */
typedef struct candidate {
    const swp_judged *function; /* NULL: none so far */
    int loop;
    int weight;
    int index; /* among the report's loops */
} candidate;

/* Where the file does not say how many threads there are, a schedule does. */
static void size_functions(const swp_schedule *schedule, swp_machine_code *code)
{
    const swp_machine *machine = &schedule->machine;
    const int threads = machine->groups * machine->waves_per_group * SWP_WAVE;
    for (size_t f = 0; f < code->functions.count; f++)
        if (!code->functions.items[f].sized && threads > 0 && threads <= SWP_MOST_THREADS)
            code->functions.items[f].workgroup = threads;
}

static swp_status check_target(swp_context *ctx, const swp_audit_file *file,
                               const swp_schedule *schedule)
{
    const swp_machine_code *code = &file->code;
    const unsigned processors = swp_code_processors_of_target(schedule->target);
    if (!processors || processors & code->processor)
        return SWP_OK;
    return swp_error(ctx, SWP_E0816, (swp_place){file->name, 0, 0},
                     "compile the kernel for the schedule's target, or the schedule for the "
                     "kernel's (--target)",
                     "the code is for %s, the schedule for %s", code->target, schedule->target);
}

static swp_status compare_with(swp_context *ctx, const candidate *main_loop,
                               const swp_schedule *schedule, const char *file,
                               swp_audit_report *out)
{
    swp_path path;
    SWP_TRY(swp_code_copy_printable_name(ctx, schedule->name, &out->schedule));
    if (!main_loop->function)
        return swp_error(ctx, SWP_E0814, (swp_place){file, 0, 0},
                         "give the kernel that carries out the schedule",
                         "no loop of this file multiplies matrices or accesses LDS");
    out->main_loop = main_loop->index;
    SWP_TRY(swp_match_path_find(ctx, &main_loop->function->flow, main_loop->loop, &path));
    return swp_match_schedule(ctx, &path, &main_loop->function->lags, schedule, out);
}

static void look_for_main_loop(const swp_judged *f, size_t first_loop, candidate *main_loop)
{
    for (int l = 0; l < f->flow.loop_count; l++) {
        const int weight = swp_match_path_weight(&f->flow, l);
        if (weight > main_loop->weight)
            *main_loop = (candidate){f, l, weight, (int)first_loop + l};
    }
}

static swp_status audit_functions(swp_context *ctx, const swp_audit_file *file,
                                  const swp_schedule *schedule, swp_audit_report *out)
{
    candidate main_loop = {.index = -1};
    for (size_t i = 0; i < file->code.functions.count; i++) {
        const size_t first_loop = out->loops.count;
        swp_judged *f = NULL;
        SWP_TRY(SWP_TAKE(ctx, 1, &f));
        SWP_TRY(swp_audit_function(ctx, ctx, file, &file->code.functions.items[i], f, out));
        look_for_main_loop(f, first_loop, &main_loop);
    }
    SWP_TRY(compare_with(ctx, &main_loop, schedule, file->name, out));
    SWP_TRY(swp_audit_answer_file(ctx, file, out));
    return swp_audit_check_loops(ctx, file, out);
}

/* PTX is judged by itself: ptxas orders what runs (docs/audit.md). */
static swp_status keep_apart(swp_context *ctx, const swp_schedule *schedule, swp_audit_report *out)
{
    const swp_audit_note note = {
        .why = "PTX is judged by itself; to compare what ptxas made of it, give cuobjdump -sass"};
    SWP_TRY(swp_code_copy_printable_name(ctx, schedule->name, &out->schedule));
    SWP_TRY(SWP_PUSH(ctx, &out->obstacles, note));
    out->answer = out->answer == SWP_AUDIT_FAULT ? SWP_AUDIT_FAULT : SWP_AUDIT_UNKNOWN;
    return SWP_OK;
}

static swp_status audit(swp_context *ctx, swp_slice text, const char *name,
                        const swp_schedule *schedule, const swp_audit_launch *launch,
                        swp_audit_report *out)
{
    const swp_audit_options options = {.launch = *launch};
    const bool roles = swp_ir_has_roles(schedule);
    swp_audit_file file;
    if (!roles)
        SWP_TRY(swp_ir_check_one_stream(ctx, schedule));
    SWP_TRY(swp_audit_open(ctx, text, name, &options, &file, out));
    if (file.is_ptx)
        return keep_apart(ctx, schedule, out);
    SWP_TRY(check_target(ctx, &file, schedule));
    if (!file.code.judged)
        return (roles ? swp_match_sass_roles : swp_match_sass)(ctx, name, &file.code, schedule,
                                                               out);
    SWP_TRY(swp_ir_check_one_stream(ctx, schedule));
    size_functions(schedule, &file.code);
    file.sized_as = ", as the schedule has";
    return audit_functions(ctx, &file, schedule, out);
}

swp_status swp_audit_schedule(swp_context *ctx, const char *text, size_t length, const char *file,
                              const swp_schedule *schedule, const swp_audit_launch *launch,
                              swp_audit_report *out)
{
    SWP_REQUIRE(ctx, ctx && (text || length == 0) && schedule && out);
    SWP_REQUIRE(ctx, !launch || launch->arguments || !launch->argument_count);
    return audit(ctx, (swp_slice){text ? text : "", length}, file, schedule,
                 launch ? launch : &(swp_audit_launch){0}, out);
}
