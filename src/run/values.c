/* SPDX-License-Identifier: Apache-2.0 */
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
    swp_run_cell cell = {.tile = tile, .writer = -1};
    for (int i = 0; i < SWP_RUN_ELEMENTS; i++)
        cell.values[i] = 1 + (int64_t)(swp_run_mix(key, (uint64_t)i) % VALUES);
    return cell;
}

swp_run_cell swp_run_poison(uint64_t seed, int place)
{
    swp_run_cell cell = {.tile = SWP_RUN_NO_TILE, .writer = -1};
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

static void add_slices(const swp_run_program *program, uint64_t seed, int tile, int wave,
                       swp_run_matrix *sum)
{
    for (int slice = 0; slice < program->slices; slice++) {
        const swp_run_cell share = swp_run_share(seed, 0, slice, tile, wave);
        swp_run_add_product(sum, share.values, share.values + SWP_RUN_SIDE);
    }
}

swp_run_matrix swp_run_expected(const swp_run_program *program, uint64_t seed, int accumulator)
{
    swp_run_matrix sum = {0};
    const int columns = program->schedule->loop.n_mmas;
    for (int tile = 0; tile < program->n; tile++)
        for (int wave = 0; wave < program->waves; wave++) {
            if (program->next_tile) {
                add_slices(program, seed, tile, wave, &sum);
                continue;
            }
            const swp_run_cell a = swp_run_share(seed, 0, accumulator / columns, tile, wave);
            const swp_run_cell b = swp_run_share(seed, 1, accumulator % columns, tile, wave);
            swp_run_add_product(&sum, a.values, b.values);
        }
    return sum;
}
