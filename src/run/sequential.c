/* SPDX-License-Identifier: Apache-2.0 */
/* Executes a loop in program order, each version in a cell of its own. */
#include "run/sequential.h"

#include "run/values.h"

enum { FOR_INITIAL = 1, FOR_RESULT = 2 };

uint64_t swp_run_initial(uint64_t seed, int value, int version, int wave)
{
    uint64_t key = swp_run_mix(swp_run_mix(seed, FOR_INITIAL), (uint64_t)value);
    key = swp_run_mix(key, (uint64_t)(int64_t)version);
    return swp_run_mix(key, (uint64_t)wave);
}

uint64_t swp_run_begin_result(uint64_t seed, int op, int iteration, int wave)
{
    uint64_t key = swp_run_mix(swp_run_mix(seed, FOR_RESULT), (uint64_t)op);
    key = swp_run_mix(key, (uint64_t)(int64_t)iteration);
    return swp_run_mix(key, (uint64_t)wave);
}

uint64_t swp_run_made(uint64_t result, int value)
{
    return swp_run_mix(result, (uint64_t)value);
}

/* The run so far. All waves, or instances, do an op before any does the next one. */
typedef struct sequence {
    const swp_run_program *program;
    const swp_loop *loop;
    uint64_t seed;
    int n;
    int waves;
    int iteration;
    uint64_t *versions; /* by iteration, value and wave: at its end */
    uint64_t *now;      /* by value and wave */
    uint64_t *results;
    const bool *const *left_out; /* by wave */
} sequence;

static uint64_t *now(const sequence *s, int value, int wave)
{
    return &s->now[value * s->waves + wave];
}

static uint64_t *version(const sequence *s, int iteration, int value, int wave)
{
    const int values = (int)s->loop->value_count;
    return &s->versions[((size_t)iteration * (size_t)values + (size_t)value) * (size_t)s->waves +
                        (size_t)wave];
}

static uint64_t *result(const sequence *s, int wave, int op)
{
    const size_t ops = s->loop->op_count;
    return &s->results[((size_t)wave * (size_t)s->n + (size_t)s->iteration) * ops + (size_t)op];
}

static uint64_t content(const sequence *s, const swp_loop_read *read, int wave)
{
    const int iteration = s->iteration - read->distance;
    if (read->distance == 0)
        return *now(s, read->value, wave);
    return iteration < 0 ? swp_run_initial(s->seed, read->value, iteration, wave)
                         : *version(s, iteration, read->value, wave);
}

static bool reads_share(const sequence *s, int value, int wave, int share)
{
    return swp_run_accesses_share(s->program, value, wave, share);
}

static uint64_t compute(const sequence *s, int index, int wave)
{
    const swp_loop_op *op = &s->loop->ops[index];
    uint64_t sum = swp_run_begin_result(s->seed, index, s->iteration, wave);
    for (size_t r = 0; r < op->read_count; r++)
        for (int share = 0; share < s->waves; share++)
            if (reads_share(s, op->reads[r].value, wave, share))
                sum = swp_run_mix(sum, content(s, &op->reads[r], share));
    for (size_t u = 0; u < op->update_count; u++)
        for (int share = 0; share < s->waves; share++)
            if (swp_run_update_reads(s->program, op->updates[u]) &&
                reads_share(s, op->updates[u], wave, share))
                sum = swp_run_mix(sum, *now(s, op->updates[u], share));
    return sum;
}

static bool is_left_out(const sequence *s, int wave, int index)
{
    const swp_run_sharing *sharing = s->program->sharing;
    if (sharing->role_of_instance[wave] != sharing->role_of_op[index])
        return true;
    return s->left_out[wave][(size_t)s->iteration * s->loop->op_count + (size_t)index];
}

/* Where it is left out, there is no result, and what it would make stays as it is. */
static void do_op(const sequence *s, int index)
{
    const swp_loop_op *op = &s->loop->ops[index];
    for (int wave = 0; wave < s->waves; wave++)
        if (!is_left_out(s, wave, index))
            *result(s, wave, index) = compute(s, index, wave);
    for (int wave = 0; wave < s->waves; wave++) {
        if (is_left_out(s, wave, index))
            continue;
        for (size_t i = 0; i < op->write_count; i++)
            *now(s, op->writes[i], wave) = swp_run_made(*result(s, wave, index), op->writes[i]);
        for (size_t i = 0; i < op->update_count; i++)
            *now(s, op->updates[i], wave) = swp_run_made(*result(s, wave, index), op->updates[i]);
    }
}

static bool is_made(const swp_loop *loop, int value)
{
    for (const swp_loop_op *op = loop->ops; op < loop->ops + loop->op_count; op++) {
        for (size_t i = 0; i < op->write_count; i++)
            if (op->writes[i] == value)
                return true;
        for (size_t i = 0; i < op->update_count; i++)
            if (op->updates[i] == value)
                return true;
    }
    return false;
}

static void begin(const sequence *s)
{
    for (int value = 0; value < (int)s->loop->value_count; value++)
        for (int wave = 0; wave < s->waves; wave++)
            *now(s, value, wave) =
                swp_run_initial(s->seed, value, is_made(s->loop, value) ? -1 : 0, wave);
}

static void do_iteration(const sequence *s)
{
    for (int op = 0; op < (int)s->loop->op_count; op++)
        do_op(s, op);
    for (int value = 0; value < (int)s->loop->value_count; value++)
        for (int wave = 0; wave < s->waves; wave++)
            *version(s, s->iteration, value, wave) = *now(s, value, wave);
}

swp_status swp_run_sequence_of(swp_context *ctx, const swp_run_program *program, uint64_t seed,
                               const bool *const *left_out, const uint64_t **results)
{
    const swp_loop *loop = program->dataflow->loop;
    sequence s = {.program = program,
                  .loop = loop,
                  .seed = seed,
                  .n = program->n,
                  .waves = program->waves,
                  .left_out = left_out};
    const size_t shares = loop->value_count * (size_t)s.waves;
    SWP_TRY(SWP_TAKE(ctx, shares, &s.now));
    SWP_TRY(SWP_TAKE(ctx, shares * (size_t)s.n, &s.versions));
    SWP_TRY(SWP_TAKE(ctx, (size_t)s.waves * (size_t)s.n * loop->op_count, &s.results));
    begin(&s);
    for (; s.iteration < s.n; s.iteration++)
        do_iteration(&s);
    *results = s.results;
    return SWP_OK;
}
