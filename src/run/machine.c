/* SPDX-License-Identifier: Apache-2.0 */
/* Sets up the waves, registers, LDS and accumulators of a run, and looks up what they hold. */
#include "run/roles.h"

#include "base/context.h"
#include "run/sequential.h"

static int registers_of(const swp_run_program *program)
{
    return (int)program->registers.count;
}

static int accesses_of(const swp_run_step_list *steps)
{
    int count = 0;
    for (size_t i = 0; i < steps->count; i++)
        count += swp_run_is_access(&steps->items[i]);
    return count;
}

static swp_status new_wave(swp_run_machine *m, int index)
{
    const swp_run_program *program = m->program;
    swp_run_thread *wave = &m->threads[index];
    wave->instance = index;
    wave->steps = swp_run_list_of(program, index);
    const size_t registers = (size_t)registers_of(program);
    const size_t accesses = (size_t)accesses_of(wave->steps);
    for (int counter = 0; counter < SWP_RUN_QUEUES; counter++)
        SWP_TRY(SWP_TAKE(m->ctx, accesses, &wave->queues[counter].items));
    SWP_TRY(SWP_TAKE(m->ctx, registers * (size_t)m->cells, &wave->registers));
    SWP_TRY(SWP_TAKE(m->ctx, registers, &wave->filled_by));
    SWP_TRY(SWP_TAKE(m->ctx, registers, &wave->last_maker));
    SWP_TRY(SWP_TAKE(m->ctx, wave->steps->count, &wave->access_of_step));
    SWP_TRY(SWP_TAKE(m->ctx, (size_t)program->accumulators, &wave->accumulators));
    for (size_t i = 0; i < registers * (size_t)m->cells; i++)
        wave->registers[i] = swp_run_poison(m->seed, (int)i);
    for (size_t i = 0; i < registers; i++) {
        wave->filled_by[i] = -1;
        wave->last_maker[i] = -1;
    }
    for (size_t i = 0; i < wave->steps->count; i++)
        wave->access_of_step[i] = -1;
    return SWP_OK;
}

static swp_status new_lds(swp_run_machine *m)
{
    const swp_run_program *program = m->program;
    const size_t cells = program->places.count * (size_t)program->waves * (size_t)program->slices;
    SWP_TRY(SWP_TAKE(m->ctx, cells, &m->lds));
    for (size_t i = 0; i < cells; i++)
        m->lds[i] = swp_run_poison(m->seed, (int)i);
    return SWP_OK;
}

/* Versions before the loop, and inputs, are there from the start. */
static swp_run_cell first_cell(const swp_run_machine *m, int value, int slot, int wave)
{
    const swp_loop *loop = m->program->dataflow->loop;
    const bool is_input = swp_run_makers(loop, value) == 0;
    const int version = is_input ? 0 : slot - m->program->dataflow->slots[value];
    return (swp_run_cell){.values = {(int64_t)swp_run_initial(m->seed, value, version, wave)},
                          .tile = swp_run_last_tile(loop, value, version),
                          .writer = -1};
}

static swp_status new_values(swp_run_machine *m)
{
    const swp_run_program *program = m->program;
    const swp_loop *loop = program->dataflow->loop;
    for (int wave = 0; wave < program->waves; wave++) {
        const size_t done = (size_t)program->n * loop->op_count;
        SWP_TRY(SWP_TAKE(m->ctx, done, &m->threads[wave].results));
        SWP_TRY(SWP_TAKE(m->ctx, done, &m->threads[wave].left_out));
        for (int i = 0; i < (int)program->places.count; i++) {
            const swp_run_place *place = &program->places.items[i];
            *swp_run_lds(m, i, wave, 0) = first_cell(m, place->channel, place->stage, wave);
        }
        for (int i = 0; i < (int)program->registers.count; i++) {
            const swp_run_place *place = &program->registers.items[i];
            *swp_run_register(m, wave, i, 0) = first_cell(m, place->channel, place->subtile, wave);
        }
    }
    return SWP_OK;
}

swp_status swp_run_machine_new(swp_context *ctx, const swp_run_program *program, uint64_t seed,
                               swp_run_outcome *outcome, swp_run_machine *out)
{
    const int waves = program->waves;
    *out = (swp_run_machine){.ctx = ctx,
                             .program = program,
                             .schedule = program->schedule,
                             .limits = &program->schedule->machine,
                             .ranks = 1,
                             .thread_count = waves,
                             .seed = seed,
                             .cells = waves > program->slices ? waves : program->slices,
                             .outcome = outcome};
    SWP_TRY(SWP_TAKE(ctx, (size_t)waves, &out->threads));
    size_t accesses = 0;
    for (int wave = 0; wave < waves; wave++) {
        SWP_TRY(new_wave(out, wave));
        accesses += (size_t)accesses_of(out->threads[wave].steps);
    }
    SWP_TRY(SWP_TAKE(ctx, accesses, &out->accesses));
    SWP_TRY(new_lds(out));
    return program->dataflow ? new_values(out) : SWP_OK;
}

const swp_run_step *swp_run_next_step(const swp_run_machine *m, int wave)
{
    const swp_run_thread *w = &m->threads[wave];
    return (size_t)w->next < w->steps->count ? &w->steps->items[w->next] : NULL;
}

const swp_run_step *swp_run_step_of(const swp_run_machine *m, const swp_run_access *access)
{
    return &m->threads[access->wave].steps->items[access->step];
}

swp_run_cell *swp_run_lds(const swp_run_machine *m, int place, int wave, int slice)
{
    const swp_run_program *program = m->program;
    return &m->lds[(place * program->waves + wave) * program->slices + slice];
}

swp_run_cell *swp_run_register(const swp_run_machine *m, int wave, int index, int cell)
{
    return &m->threads[wave].registers[index * m->cells + cell];
}

swp_instance swp_run_instance(const swp_run_machine *m, int thread, int step)
{
    const swp_run_thread *t = &m->threads[thread];
    const swp_run_step *s = &t->steps->items[step];
    swp_instance at = {.phase = s->phase, .entry = s->entry, .pass = s->pass, .wave = t->instance};
    if (!m->program->has_roles)
        return at;
    at.role = swp_run_stream_of(m, t->instance)->name;
    at.stream = m->program->sharing->role_of_instance[t->instance];
    at.instance = swp_run_number_of(m, t->instance);
    at.thread = t->lane;
    at.tile = s->output_tile;
    at.is_in_cluster = m->ranks > 1;
    at.rank = swp_run_rank_of(m, t->instance);
    return at;
}
