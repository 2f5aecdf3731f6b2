/* SPDX-License-Identifier: Apache-2.0 */
/* Lays the lists of each instance of a warp role out as the steps of a run of output tiles. */
#include "happens_before/run.h"

#include "ir/roles.h"

int swp_happens_list_rank(swp_phase list)
{
    static const int ranks[] = {[SWP_BEGIN] = 0,    [SWP_PROLOGUE] = 1, [SWP_KERNEL] = 2,
                                [SWP_EPILOGUE] = 3, [SWP_END] = 4,      [SWP_DRAIN] = 5};
    return ranks[list];
}

swp_status swp_happens_tiles_build(swp_context *ctx, const swp_schedule *schedule,
                                   swp_happens_tiles *out)
{
    const int forms = swp_schedule_forms(schedule);
    *out = (swp_happens_tiles){.schedule = schedule, .form_count = forms, .row_count = 1};
    SWP_TRY(SWP_TAKE(ctx, (size_t)forms, &out->forms));
    SWP_TRY(SWP_TAKE(ctx, (size_t)forms, &out->programs));
    for (int f = 0; f < forms; f++) {
        out->forms[f] = swp_schedule_form(schedule, f);
        SWP_TRY(swp_happens_program_build(ctx, &out->forms[f], &out->programs[f]));
    }
    return SWP_OK;
}

static int passes_of(const swp_happens_tiles *tiles, int form, int n)
{
    const swp_loop_shape *loop = &tiles->forms[form].loop;
    return loop->tiles_per_pass == 0 ? 0 : (n - loop->min_tiles) / loop->tiles_per_pass;
}

int swp_happens_tile_passes(const swp_happens_tiles *tiles, int n)
{
    return passes_of(tiles, swp_schedule_form_of(tiles->schedule, n), n);
}

/* Where the next step comes. */
typedef struct writer {
    const swp_happens_tiles *tiles;
    int instance;
    swp_happens_run *run; /* NULL: steps are only counted */
    int laid;             /* steps that the run has already */
    int count;
    int tile;
    int form;
    int first_pass;
    int64_t base;
    int n; /* of the tile */
} writer;

static swp_happens_step step_of(const writer *w, swp_phase list, int index, int pass)
{
    const swp_happens_program *p = &w->tiles->programs[w->form];
    const swp_happens_instance *in = &p->instances[w->instance];
    const bool behind = list == SWP_END || list == SWP_DRAIN;
    swp_happens_step step = swp_happens_step_in(p, in, list, index, pass);
    step.tile = w->tile;
    step.form = w->form;
    step.first_pass = w->first_pass;
    step.base = w->base;
    if (list == SWP_BEGIN || behind)
        step.iteration = step.op->iteration + (behind ? w->n : 0);
    if (swp_ir_entry_clock(w->tiles->schedule, step.op) == SWP_TILE_CLOCK)
        step.iteration = step.op->iteration + w->tile;
    else
        step.iteration += w->base;
    return step;
}

static swp_status write_list(writer *w, swp_phase list, int pass)
{
    const swp_happens_instance *in = &w->tiles->programs[w->form].instances[w->instance];
    const int first = w->laid > w->count ? w->laid - w->count : 0;
    for (int i = first; w->run && i < in->lengths[list]; i++) {
        const swp_happens_step step = step_of(w, list, i, pass);
        SWP_TRY(swp_happens_lay(w->run, w->instance, &step));
    }
    w->count += in->lengths[list];
    return SWP_OK;
}

/* All but what follows its passes. */
static swp_status write_passes(writer *w, int passes)
{
    SWP_TRY(write_list(w, SWP_BEGIN, 0));
    SWP_TRY(write_list(w, SWP_PROLOGUE, 0));
    for (int pass = 0; pass < passes; pass++)
        SWP_TRY(write_list(w, SWP_KERNEL, pass));
    return SWP_OK;
}

static swp_status write_tile(writer *w, int n)
{
    w->n = n;
    w->form = swp_schedule_form_of(w->tiles->schedule, n);
    const int passes = passes_of(w->tiles, w->form, n);
    SWP_TRY(write_passes(w, passes));
    SWP_TRY(write_list(w, SWP_EPILOGUE, passes));
    SWP_TRY(write_list(w, SWP_END, passes));
    w->tile++;
    w->first_pass += passes;
    w->base += n;
    return SWP_OK;
}

static swp_status write_all(writer *w, const swp_happens_sequence *sequence)
{
    for (int t = 0; t < sequence->count; t++)
        SWP_TRY(write_tile(w, sequence->n[t]));
    w->n = 0;
    w->form = 0;
    if (sequence->passes >= 0)
        return write_passes(w, sequence->passes);
    return sequence->is_cut ? SWP_OK : write_list(w, SWP_DRAIN, 0);
}

int swp_happens_count_tiles(const swp_happens_run *run, int instance,
                            const swp_happens_sequence *sequence)
{
    writer counter = {.tiles = run->tiles, .instance = instance};
    (void)write_all(&counter, sequence);
    return counter.count;
}

swp_status swp_happens_lay_tiles(swp_happens_run *run, int instance)
{
    const int laid = run->lengths[instance];
    const int all = swp_happens_count_tiles(run, instance, run->sequence);
    SWP_TRY(swp_happens_room(run, instance, all - laid));
    writer w = {.tiles = run->tiles, .instance = instance, .run = run, .laid = laid};
    return write_all(&w, run->sequence);
}
