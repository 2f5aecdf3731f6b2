/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of the matrices from a seed, and the products that are right for them. */
#include "run/values.h"

/* Two tiles are told apart by several numbers of so many values. */
enum { VALUES = 999, POISON = 1000000 };

/* The finaliser of splitmix64. */
uint64_t swp_run_mix(uint64_t seed, uint64_t position)
{
    uint64_t z = seed + (position + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

swp_run_cell swp_run_share(uint64_t seed, int channel, int subtile, int tile, int wave)
{
    uint64_t key = swp_run_mix(seed, (uint64_t)channel);
    key = swp_run_mix(key, (uint64_t)subtile);
    key = swp_run_mix(key, (uint64_t)(int64_t)tile);
    key = swp_run_mix(key, (uint64_t)wave);
    swp_run_cell cell = {.tile = tile, .thread = SWP_RUN_NOBODY};
    for (int i = 0; i < SWP_RUN_ELEMENTS; i++)
        cell.values[i] = 1 + (int64_t)(swp_run_mix(key, (uint64_t)i) % VALUES);
    return cell;
}

swp_run_cell swp_run_poison(uint64_t seed, int place)
{
    swp_run_cell cell = {.tile = SWP_RUN_NO_TILE, .thread = SWP_RUN_NOBODY};
    const uint64_t key = swp_run_mix(~seed, (uint64_t)place);
    for (int i = 0; i < SWP_RUN_ELEMENTS; i++)
        cell.values[i] = POISON + (int64_t)(swp_run_mix(key, (uint64_t)i) % VALUES);
    return cell;
}

void swp_run_add_product(swp_run_matrix *sum, const int64_t *a, const int64_t *b)
{
    for (int i = 0; i < SWP_RUN_SIDE; i++)
        for (int j = 0; j < SWP_RUN_SIDE; j++)
            sum->values[i][j] += a[i] * b[j];
}

/* The product of one tile, or of one slice of it, over the shares of all waves. */
static void add_tile(const swp_run_program *program, uint64_t seed, const swp_run_step *compute,
                     swp_run_matrix *sum)
{
    const int columns = program->schedule->loop.n_mmas;
    const int row = compute->accumulator / columns;
    const int column = compute->accumulator % columns;
    for (int wave = 0; wave < program->waves; wave++) {
        const int slice = compute->slice;
        const swp_run_cell a =
            swp_run_share(seed, 0, program->next_tile ? slice : row, compute->tile, wave);
        const swp_run_cell b = swp_run_share(seed, 1, column, compute->tile, wave);
        swp_run_add_product(sum, a.values, program->next_tile ? a.values + SWP_RUN_SIDE : b.values);
    }
}

swp_run_matrix swp_run_expected(const swp_run_program *program, uint64_t seed, int accumulator)
{
    swp_run_matrix sum = {0};
    swp_run_step compute = {.accumulator = accumulator};
    for (compute.tile = 0; compute.tile < program->n; compute.tile++)
        for (compute.slice = 0; compute.slice < program->slices; compute.slice++)
            add_tile(program, seed, &compute, &sum);
    return sum;
}

swp_run_matrix swp_run_expected_so_far(const swp_run_program *program, uint64_t seed,
                                       int accumulator, const swp_run_step_list *steps,
                                       size_t issued)
{
    swp_run_matrix sum = {0};
    for (size_t i = 0; i < issued; i++)
        if (steps->items[i].action == SWP_RUN_COMPUTE && steps->items[i].accumulator == accumulator)
            add_tile(program, seed, &steps->items[i], &sum);
    return sum;
}
