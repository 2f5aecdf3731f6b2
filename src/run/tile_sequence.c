/* SPDX-License-Identifier: Apache-2.0 */
/* What a sequence of output tiles computes: each op from the ops that make what it wants, in whatever order. */
#include "run/sequential.h"

#include "run/unroll.h"
#include "run/values.h"

typedef struct tiles {
    swp_run_unroller unroller;
    const swp_run_program *program;
    const swp_loop *loop;
    uint64_t seed;
    bool *is_known; /* by instance, row and op */
    uint64_t *results;
    const bool *const *left_out; /* by instance */
} tiles;

static size_t at(const tiles *s, int instance, int row, int op)
{
    return ((size_t)instance * (size_t)s->program->rows + (size_t)row) * s->loop->op_count +
           (size_t)op;
}

/* The tile that an iteration of all belongs to. */
static swp_run_point point_of(const tiles *s, int row, bool is_of_tiles)
{
    const int *sizes = s->program->extent.tiles;
    swp_run_point p = {.n = sizes[0]};
    while (is_of_tiles ? p.tile < row : p.base + p.n <= row) {
        p.base += p.n;
        p.n = sizes[++p.tile];
    }
    p.from = row - p.base;
    return p;
}

static bool makes(const swp_loop_op *op, int value)
{
    for (size_t i = 0; i < op->write_count; i++)
        if (op->writes[i] == value)
            return true;
    for (size_t i = 0; i < op->update_count; i++)
        if (op->updates[i] == value)
            return true;
    return false;
}

/* The op that makes this of the value's tiles, counted from 0. */
static int maker_of(const tiles *s, int value, int number)
{
    int op = 0;
    while (swp_run_makers_before(s->loop, value, op + 1) <= number)
        op++;
    return op;
}

static int clearing_op(const tiles *s, int value)
{
    int op = 0;
    while (s->loop->ops[op].clock != SWP_TILE_CLOCK || !makes(&s->loop->ops[op], value))
        op++;
    return op;
}

static swp_status find_step(tiles *s, int row, int op, swp_run_step *step)
{
    const swp_op entry = {.tag = swp_tag_of_loop_op(op)};
    const bool is_of_tiles = s->loop->ops[op].clock == SWP_TILE_CLOCK;
    return swp_run_set_op(&s->unroller, &entry, point_of(s, row, is_of_tiles), step);
}

static bool is_left_out(const tiles *s, int instance, int row, int op)
{
    return s->left_out[instance][(size_t)row * s->loop->op_count + (size_t)op];
}

static int value_of(const tiles *s, const swp_run_operand *operand)
{
    const swp_run_program *program = s->program;
    const swp_run_place_list *list = operand->in_lds ? &program->places : &program->registers;
    return list->items[operand->index].channel;
}

static swp_status compute(tiles *s, int instance, int row, int op);
static swp_status content(tiles *s, int value, int tile, int instance, uint64_t *out);

/* What an op that is left out would have updated. */
static swp_status kept(tiles *s, int value, int row, int op, int instance, uint64_t *out)
{
    swp_run_step step = {0};
    SWP_TRY(find_step(s, row, op, &step));
    size_t i = 0;
    while (!step.reads.items[i].update || value_of(s, &step.reads.items[i]) != value)
        i++;
    return content(s, value, step.reads.items[i].tile, instance, out);
}

/* What an instance has of a tile of a value. */
static swp_status content(tiles *s, int value, int tile, int instance, uint64_t *out)
{
    const int makers = swp_run_makers(s->loop, value);
    const bool is_cleared = tile <= SWP_RUN_CLEARED;
    if (makers == 0 || (tile < 0 && !is_cleared)) {
        *out = swp_run_initial(s->seed, value, swp_run_version_of(s->loop, value, tile), instance);
        return SWP_OK;
    }
    const int row = is_cleared ? SWP_RUN_CLEARED - tile : tile / makers;
    const int op = is_cleared ? clearing_op(s, value) : maker_of(s, value, tile % makers);
    if (is_left_out(s, instance, row, op))
        return kept(s, value, row, op, instance, out);
    SWP_TRY(compute(s, instance, row, op));
    *out = swp_run_made(s->results[at(s, instance, row, op)], value);
    return SWP_OK;
}

static swp_status mix_in(tiles *s, const swp_run_operand *read, int instance, uint64_t *sum)
{
    const swp_run_program *program = s->program;
    const int value = value_of(s, read);
    for (int share = 0; share < program->waves; share++) {
        uint64_t number = 0;
        if (!swp_run_accesses_share(program, value, instance, share))
            continue;
        SWP_TRY(content(s, value, read->tile, share, &number));
        *sum = swp_run_mix(*sum, number);
    }
    return SWP_OK;
}

static swp_status compute(tiles *s, int instance, int row, int op)
{
    const size_t index = at(s, instance, row, op);
    swp_run_step step = {0};
    if (s->is_known[index] || is_left_out(s, instance, row, op))
        return SWP_OK;
    s->is_known[index] = true;
    SWP_TRY(find_step(s, row, op, &step));
    uint64_t sum = swp_run_begin_result(s->seed, op, row, instance);
    for (size_t i = 0; i < step.reads.count; i++)
        SWP_TRY(mix_in(s, &step.reads.items[i], instance, &sum));
    s->results[index] = sum;
    return SWP_OK;
}

/* In the order of iterations, so that what is wanted is known but for a few. */
static swp_status compute_clock(tiles *s, swp_role_clock clock, int rows)
{
    const swp_run_sharing *sharing = s->program->sharing;
    for (int row = 0; row < rows; row++)
        for (int op = 0; op < (int)s->loop->op_count; op++)
            for (int i = 0; i < s->program->waves; i++)
                if (s->loop->ops[op].clock == clock &&
                    sharing->role_of_instance[i] == sharing->role_of_op[op])
                    SWP_TRY(compute(s, i, row, op));
    return SWP_OK;
}

swp_status swp_run_tile_sequence_of(swp_context *ctx, const swp_run_program *program, uint64_t seed,
                                    const bool *const *left_out, const uint64_t **results)
{
    swp_run_program own = *program;
    tiles s = {.unroller = {.ctx = ctx, .program = &own},
               .program = program,
               .loop = program->dataflow->loop,
               .seed = seed,
               .left_out = left_out};
    const size_t count =
        (size_t)program->waves * (size_t)program->rows * program->dataflow->loop->op_count;
    SWP_TRY(SWP_TAKE(ctx, count, &s.is_known));
    SWP_TRY(SWP_TAKE(ctx, count, &s.results));
    SWP_TRY(compute_clock(&s, SWP_PASS_CLOCK, program->n));
    SWP_TRY(compute_clock(&s, SWP_TILE_CLOCK, program->extent.tile_count));
    *results = s.results;
    return SWP_OK;
}
