/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof of a schedule with warp roles, and of a loop without them that is written as one role. It follows one run after
 * the other, until their order comes back, or a cut without warp roles. The argument that this decides all numbers of
 * iterations is in docs/roles-proof.md, "The proof" and "Loops without warp roles".
 */
#include "verify/roles_runs.h"
#include "base/diag.h"
#include "ir/roles.h"

/* --- One run --- */

static swp_status judge_run(swp_role_prover *v, const swp_role_form_proof *f, int form,
                            const swp_happens_run *run, swp_role_progress *progress)
{
    int rank = 0;
    swp_role_judge judge = {.ctx = v->ctx,
                            .model = &v->model,
                            .run = run,
                            .form = form,
                            .period = f->period,
                            .accepted = v->accepted,
                            .progress = progress,
                            .told = &v->out->hazards,
                            .known = &v->known};
    SWP_TRY(swp_verify_role_judge_run(&judge, &rank));
    v->found |= judge.found;
    v->is_seen |= judge.wrong.place || (progress && progress->wrong.place);
    return SWP_OK;
}

/* All that is after `cut` passes is as it was after fewer, and that is known from a whole period of runs. */
static void look_for_repetition(swp_role_form_proof *f, const swp_happens_run *run)
{
    const int cut = run->passes - f->span.horizon;
    if (!swp_happens_holds(run->program, SWP_HAPPENS_EVERY_PASS))
        f->last = run->passes;
    for (int earlier = cut - 1; earlier >= f->span.reach && f->last < 0; earlier--)
        if (swp_happens_repeats(run, f->span, earlier, cut)) {
            f->period = cut - earlier;
            f->last = run->passes + f->period - 1;
        }
}

static uint64_t steps_of(const swp_happens_run *run)
{
    uint64_t steps = 0;
    for (int i = 0; i < run->program->count; i++)
        steps += (uint64_t)run->lengths[i] * SWP_HAPPENS_THREADS;
    return steps;
}

static swp_status judge_form(swp_role_prover *v, swp_role_form_proof *f, int form,
                             const swp_happens_run *run, swp_role_progress *progress)
{
    if (f->schedule.loop.tiles_per_pass == 0)
        f->last = 0;
    else if (f->last < 0)
        look_for_repetition(f, run);
    SWP_TRY(judge_run(v, f, form, run, progress));
    v->out->work += steps_of(run);
    f->explored = run->passes;
    return SWP_OK;
}

static swp_status follow_alone(swp_role_prover *v, swp_context *ctx, swp_role_form_proof *f,
                               int form, int passes)
{
    swp_happens_run run;
    SWP_TRY(swp_happens_run_follow(ctx, &f->program, passes, &run));
    return judge_form(v, f, form, &run, NULL);
}

static swp_status follow_from_cut(swp_role_prover *v, swp_context *ctx, swp_role_form_proof *f,
                                  int form, swp_role_shared_passes *shared)
{
    SWP_TRY(swp_happens_run_end(ctx, &shared->run, &f->program));
    swp_verify_role_settle(&shared->progress, &shared->run);
    SWP_TRY(judge_form(v, f, form, &shared->run, &shared->progress));
    swp_happens_run_back(&shared->run);
    return SWP_OK;
}

static swp_status follow_run(swp_role_prover *v, swp_role_form_proof *f, int form, int passes,
                             swp_role_shared_passes *shared)
{
    swp_context inner;
    SWP_TRY(swp_scope_open(v->scratch, &inner));
    const swp_status status = shared->is_there && swp_happens_run_may_end(&shared->run, &f->program)
                                  ? follow_from_cut(v, &inner, f, form, shared)
                                  : follow_alone(v, &inner, f, form, passes);
    swp_scope_close(&inner);
    return status;
}

/* --- All runs --- */

static void give_up(swp_role_form_proof *f)
{
    f->is_open = true;
    f->last = f->explored;
}

/* The proof goes on behind accepted counts. They are told at the first operation on a phase, so there they are accepted. */
static swp_status excuse_arrivals(swp_role_prover *v, swp_happens_program *program)
{
    const swp_schedule *schedule = v->model.schedule;
    swp_happens_entry *entries = NULL;
    SWP_TRY(SWP_TAKE(v->scratch, v->accepted.count * schedule->stream_count, &entries));
    program->excused = entries;
    for (size_t a = 0; a < v->accepted.count; a++)
        for (size_t s = 0; s < schedule->stream_count; s++) {
            const swp_entry_ref at = v->accepted.items[a].at;
            if (swp_verify_is_meant(&v->accepted.items[a], SWP_ARRIVALS, schedule->streams[s].name,
                                    at))
                entries[program->excused_count++] = (swp_happens_entry){(int)s, at.phase, at.entry};
        }
    return SWP_OK;
}

static swp_status begin_form(swp_role_prover *v, int number, swp_role_form_proof *f)
{
    f->schedule = swp_schedule_form(v->model.schedule, number);
    f->last = -1;
    SWP_TRY((v->is_flat ? swp_happens_program_build_flat
                        : swp_happens_program_build)(v->scratch, &f->schedule, &f->program));
    f->program.without = v->without;
    SWP_TRY(excuse_arrivals(v, &f->program));
    f->span = swp_happens_span_of(&f->program);
    return SWP_OK;
}

static bool is_enough(const swp_role_prover *v)
{
    return v->part.extent == SWP_SOME_HAZARD && v->found;
}

/* Cuts are compared that are twice the reach behind the beginning, and the horizon in front of the end. */
static swp_happens_rooms rooms_for(const swp_role_form_proof *f)
{
    enum { FEW = 2, MOST_ROOM = 128 };
    const int64_t usual = 2 * (int64_t)f->span.reach + f->span.horizon + FEW;
    const int most =
        swp_verify_role_most_passes(f) < MOST_ROOM ? swp_verify_role_most_passes(f) : MOST_ROOM;
    return (swp_happens_rooms){{usual < most ? (int)usual : most, most}};
}

static swp_status begin_shared(swp_role_prover *v, const swp_role_form_proof *forms, int count,
                               swp_role_shared_passes *shared)
{
    shared->is_there =
        count > 0 && v->without == SWP_HAPPENS_NO_RULE && forms[0].schedule.loop.tiles_per_pass > 0;
    if (!shared->is_there)
        return SWP_OK;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers */
    SWP_TRY(SWP_TAKE(v->scratch, (size_t)count, &shared->forms));
    shared->form_count = count;
    shared->reach.ctx = v->scratch;
    for (int i = 0; i < count; i++)
        shared->forms[i] = &forms[i].program;
    SWP_TRY(swp_verify_role_progress_new(v->scratch, &v->model, shared->forms, count,
                                         &shared->progress));
    return swp_happens_run_begin(v->scratch, shared->forms[0], rooms_for(&forms[0]), &shared->run);
}

static bool may_go_on(const swp_role_form_proof *forms, int count, int passes)
{
    for (int i = 0; i < count; i++)
        if (forms[i].last < 0 || passes <= forms[i].last)
            return true;
    return false;
}

/* The shortest runs first, so that what is told is told with its least N. */
static swp_status follow_all(swp_role_prover *v, swp_role_form_proof *forms, int first, int count,
                             swp_role_shared_passes *shared)
{
    bool more = true;
    for (int passes = 0; more; passes++) {
        more = false;
        if (shared->is_there && shared->run.passes < passes && may_go_on(forms, count, passes)) {
            SWP_TRY(swp_happens_run_go_on(&shared->run));
            SWP_TRY(swp_verify_role_end_alike(v, forms, shared));
        }
        for (int i = 0; i < count; i++) {
            swp_role_form_proof *f = &forms[i];
            if (is_enough(v))
                return SWP_OK;
            if (f->last >= 0 && passes > f->last)
                continue;
            more = true;
            if (f->last < 0 &&
                (passes > swp_verify_role_most_passes(f) || swp_verify_role_is_too_much(v))) {
                give_up(f);
                continue;
            }
            SWP_TRY(follow_run(v, f, first + i, passes, shared));
        }
    }
    return SWP_OK;
}

static swp_status follow(swp_role_prover *v, swp_role_form_proof *forms, int first, int count)
{
    swp_role_shared_passes shared = {.is_there = false};
    SWP_TRY(begin_shared(v, forms, count, &shared));
    return follow_all(v, forms, first, count, &shared);
}

/* --- What a proof follows --- */

static swp_role_form_work work_of(const swp_role_form_proof *f)
{
    swp_role_form_work work = {.passes = f->explored};
    for (int i = 0; i < f->program.count; i++) {
        const swp_happens_instance *in = &f->program.instances[i];
        work.ends += (uint64_t)swp_happens_length(in, 0) * SWP_HAPPENS_THREADS;
        work.pass += (uint64_t)in->lengths[SWP_KERNEL] * SWP_HAPPENS_THREADS;
    }
    return work;
}

static void note_work(swp_role_prover *v, const swp_role_form_proof *all, int form, int count)
{
    const bool keeps = !is_enough(v);
    if (form < 0) {
        for (int i = 0; i < count && keeps; i++)
            v->works[i] = work_of(&all[i]);
        return;
    }
    const swp_role_form_work before = v->works[form];
    v->works[form] = work_of(&all[0]);
    v->out->work = swp_verify_role_work_of_all(v->model.schedule, v->works, keeps ? -1 : form);
    if (!keeps)
        v->works[form] = before;
}

/* Those below the least number of passes come first. */
swp_status swp_verify_role_forms(swp_role_prover *v, int form)
{
    const swp_schedule *schedule = v->model.schedule;
    const int forms = swp_schedule_forms(schedule);
    const int straight = (int)schedule->streams[0].tails.straight_count;
    const int first = form < 0 ? 0 : form;
    const int count = form < 0 ? forms : 1;
    swp_role_form_proof *all = NULL;
    SWP_TRY(SWP_TAKE(v->scratch, (size_t)count, &all));
    for (int i = 0; i < count; i++)
        SWP_TRY(begin_form(v, first + i, &all[i]));
    if (form < 0) {
        SWP_TRY(follow(v, all + (forms - straight), forms - straight, straight));
        SWP_TRY(follow(v, all, 0, forms - straight));
    } else {
        SWP_TRY(follow(v, all, form, 1));
    }
    for (int i = 0; i < count; i++)
        if (all[i].explored > v->out->passes_explored)
            v->out->passes_explored = all[i].explored;
    if (v->works)
        note_work(v, all, form, count);
    return swp_verify_role_check_end(v, all, count);
}

/* Follows the run that has the hazard's number of iterations. */
swp_status swp_verify_role_shown_run(swp_role_prover *v)
{
    const int n = v->part.shown->smallest_n;
    const int form = swp_schedule_form_of(v->model.schedule, n);
    swp_role_form_proof f = {.last = 0};
    swp_role_shared_passes none = {.is_there = false};
    if (form < 0)
        return SWP_OK;
    SWP_TRY(begin_form(v, form, &f));
    const swp_loop_shape *loop = &f.schedule.loop;
    const int passes = loop->tiles_per_pass > 0 ? (n - loop->min_tiles) / loop->tiles_per_pass : 0;
    f.last = passes;
    return follow_run(v, &f, form, passes, &none);
}
