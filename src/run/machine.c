/* SPDX-License-Identifier: Apache-2.0 */
/* Sets up threads, registers, places, and room for what is in flight, and looks up what they hold. */
#include "run/watch.h"

#include "base/context.h"
#include "run/sequential.h"

/* Of an instance the threads that stand for all; a wave is one. */
static bool is_elected(const swp_run_thread *t)
{
    return t->lane == 0;
}

/* How many things are in flight of a step, one after the other or at once. */
static size_t flights_of(const swp_run_machine *m, const swp_run_step *step)
{
    if (!m->program->manner->runs_ordinary)
        return swp_run_is_access(step);
    if (!swp_run_is_queued(step))
        return 0;
    return swp_run_is_multicast(m, step) ? (size_t)m->ranks : 1;
}

/* Versions before the loop, and inputs, are there from the start. */
static swp_run_cell first_cell(const swp_run_machine *m, int value, int slot, int instance)
{
    const swp_loop *loop = m->program->dataflow->loop;
    const bool is_input = swp_run_makers(loop, value) == 0;
    const int version = is_input ? 0 : slot - m->program->dataflow->slots[value];
    return (swp_run_cell){.number = swp_run_initial(m->seed, value, version, instance),
                          .tile = swp_run_last_tile(loop, value, version),
                          .thread = SWP_RUN_NOBODY};
}

static swp_status new_registers(swp_run_machine *m, swp_run_thread *t)
{
    const swp_run_program *program = m->program;
    const size_t registers = program->registers.count;
    const size_t cells = registers * (size_t)m->cells;
    SWP_TRY(SWP_TAKE(m->ctx, cells, &t->registers));
    SWP_TRY(SWP_TAKE(m->ctx, registers, &t->states));
    for (size_t i = 0; i < cells && !program->dataflow; i++)
        t->registers[i] = swp_run_poison(m->seed, (int)i);
    for (size_t i = 0; i < registers; i++) {
        const swp_run_place *place = &program->registers.items[i];
        if (program->dataflow)
            t->registers[i] = first_cell(m, place->channel, place->subtile, t->instance);
        t->states[i] = (swp_run_register_state){
            .before = t->registers[i * (size_t)m->cells], .filled_by = -1, .last_maker = -1};
    }
    return SWP_TAKE(m->ctx, (size_t)program->accumulators, &t->accumulators);
}

static swp_status new_flights(swp_run_machine *m, swp_run_thread *t, size_t *flights)
{
    const size_t steps = t->steps->count * (size_t)m->ranks;
    size_t count = 0;
    SWP_TRY(SWP_TAKE(m->ctx, steps, &t->access_of_step));
    for (size_t i = 0; i < steps; i++)
        t->access_of_step[i] = -1;
    for (size_t i = 0; i < t->steps->count; i++)
        count += flights_of(m, &t->steps->items[i]);
    for (int queue = 0; queue < SWP_RUN_QUEUES; queue++)
        SWP_TRY(SWP_TAKE(m->ctx, count, &t->queues[queue].items));
    *flights += count;
    return SWP_OK;
}

static swp_status new_thread(swp_run_machine *m, int thread, size_t *flights)
{
    const swp_run_program *program = m->program;
    const int instance = thread / m->lanes;
    swp_run_thread *t = &m->threads[thread];
    *t = (swp_run_thread){.instance = instance,
                          .lane = thread % m->lanes,
                          .steps = swp_run_list_of(program, instance),
                          .fenced = -1,
                          .reg_fenced = -1};
    const size_t results =
        program->dataflow ? (size_t)program->rows * program->dataflow->loop->op_count : 0;
    SWP_TRY(SWP_TAKE(m->ctx, results, &t->results));
    SWP_TRY(SWP_TAKE(m->ctx, results, &t->left_out));
    SWP_TRY(SWP_TAKE(m->ctx, (size_t)m->meeting_count, &t->parts));
    SWP_TRY(new_registers(m, t));
    if (is_elected(t))
        SWP_TRY(new_flights(m, t, flights));
    swp_run_skip(m, thread);
    return SWP_OK;
}

static swp_status new_threads(swp_run_machine *m)
{
    size_t flights = 0;
    SWP_TRY(SWP_TAKE(m->ctx, (size_t)m->thread_count, &m->threads));
    for (int thread = 0; thread < m->thread_count; thread++)
        SWP_TRY(new_thread(m, thread, &flights));
    SWP_TRY(SWP_TAKE(m->ctx, flights, &m->accesses));
    return SWP_TAKE(m->ctx, flights, &m->open);
}

static swp_status new_places(swp_run_machine *m)
{
    const swp_run_program *program = m->program;
    const int shares = m->ranks * program->waves;
    const int pieces = (int)program->places.count * shares * m->parts;
    SWP_TRY(SWP_TAKE(m->ctx, (size_t)pieces, &m->pieces));
    for (int i = 0; i < pieces; i++) {
        const swp_run_place *place = &program->places.items[i / m->parts / shares];
        const int instance = i / m->parts % program->waves;
        m->pieces[i].now = program->dataflow ? first_cell(m, place->channel, place->stage, instance)
                                             : swp_run_poison(m->seed, i);
    }
    return SWP_OK;
}

swp_status swp_run_machine_new(swp_context *ctx, const swp_run_program *program, uint64_t seed,
                               swp_run_outcome *outcome, swp_run_machine *out)
{
    const int waves = program->waves;
    const int lanes = program->manner->lanes;
    const int most = waves > program->slices ? waves : program->slices;
    *out = (swp_run_machine){.ctx = ctx,
                             .program = program,
                             .schedule = program->schedule,
                             .limits = &program->schedule->machine,
                             .ranks = program->sharing->ranks,
                             .seed = seed,
                             .lanes = lanes,
                             .parts = lanes * program->slices,
                             .cells = program->dataflow ? 1 : most,
                             .thread_count = waves * lanes,
                             .outcome = outcome};
    SWP_TRY(swp_run_count_objects(out));
    SWP_TRY(new_threads(out));
    SWP_TRY(new_places(out));
    SWP_TRY(swp_run_new_objects(out));
    if (!program->manner->keeps_rules)
        return SWP_OK;
    SWP_TRY(swp_run_note_uses(out));
    return swp_run_watch_lists(out);
}

const swp_run_step *swp_run_next_step(const swp_run_machine *m, int thread)
{
    const swp_run_thread *t = &m->threads[thread];
    return (size_t)t->next < t->steps->count ? &t->steps->items[t->next] : NULL;
}

const swp_run_step *swp_run_step_of(const swp_run_machine *m, const swp_run_access *access)
{
    return &m->threads[(size_t)access->instance * (size_t)m->lanes].steps->items[access->step];
}

int *swp_run_access_at(const swp_run_machine *m, int instance, int step, int to)
{
    return &m->threads[(size_t)instance * (size_t)m->lanes].access_of_step[step * m->ranks + to];
}

int swp_run_oldest_open(const swp_run_machine *m)
{
    return m->open_count > 0 ? m->open[0] : m->access_count;
}

void swp_run_open_access(swp_run_machine *m, int access)
{
    m->open[m->open_count++] = access;
}

void swp_run_close_access(swp_run_machine *m, int access)
{
    int at = 0;
    m->accesses[access].done = true;
    while (m->open[at] != access)
        at++;
    for (m->open_count--; at < m->open_count; at++)
        m->open[at] = m->open[at + 1];
}

swp_run_piece *swp_run_piece_of(const swp_run_machine *m, int place, int rank, int instance,
                                int part)
{
    const int share = (place * m->ranks + rank) * m->program->waves + instance;
    return &m->pieces[share * m->parts + part];
}

swp_run_cell *swp_run_lds(const swp_run_machine *m, int place, int wave, int slice)
{
    return &swp_run_piece_of(m, place, 0, wave, slice)->now;
}

swp_run_cell *swp_run_register(const swp_run_machine *m, int wave, int index, int cell)
{
    return &m->threads[wave].registers[index * m->cells + cell];
}

swp_instance swp_run_who(const swp_run_machine *m, int thread)
{
    const swp_run_thread *t = &m->threads[thread];
    if (!m->program->manner->has_names)
        return (swp_instance){.wave = t->instance};
    return (swp_instance){.wave = t->instance,
                          .role = swp_run_stream_of(m, t->instance)->name,
                          .stream = m->program->sharing->role_of_instance[t->instance],
                          .instance = swp_run_number_of(m, t->instance),
                          .thread = t->lane,
                          .is_in_cluster = m->ranks > 1,
                          .rank = swp_run_rank_of(m, t->instance)};
}

swp_instance swp_run_instance(const swp_run_machine *m, int thread, int step)
{
    const swp_run_step *s = &m->threads[thread].steps->items[step];
    swp_instance at = swp_run_who(m, thread);
    at.phase = s->phase;
    at.entry = s->entry;
    at.pass = s->pass;
    at.tile = s->output_tile;
    return at;
}
