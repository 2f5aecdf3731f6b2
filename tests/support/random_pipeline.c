/* SPDX-License-Identifier: Apache-2.0 */
#include "random_pipeline.h"

#include "fixture.h"
#include "ops.h"

/* Mostly as the published kernels load: the other half's stage late, the own stage ahead. */
static swp_op random_load(test_random *random, int half, bool other)
{
    static const swp_k_offset offsets[] = {SWP_K0, SWP_K1, SWP_K_PREV, SWP_K_NEXT, SWP_K_NONE};
    const int stage = other || random_chance(random, 50) ? 1 - half : half;
    swp_k_offset k_offset = stage == 0 ? SWP_K0 : half == 0 ? SWP_K_PREV : SWP_K1;
    if (random_chance(random, 5))
        k_offset = offsets[random_int(random, 0, 4)];
    swp_op op = load_op(random_int(random, 0, 1), stage, random_int(random, 0, 2), k_offset);
    op.latency = random_int(random, 0, 200);
    return op;
}

static swp_op random_frag(test_random *random, const swp_pipeline_config *config, int half)
{
    const int channel = random_int(random, 0, 1);
    const int most = channel == 0 ? config->m_mmas : config->n_mmas;
    const int stage = config->cross_stage_rotation && random_chance(random, 20) ? 1 - half : half;
    return frag_op(channel, stage, random_int(random, 0, most - 1));
}

/* The MMAs of a half row by row, the last of them at its end, all else in front at random places. */
static void fill_half(test_random *random, random_pipeline *out, int half, int frags, int loads)
{
    int mmas = out->config.m_mmas * out->config.n_mmas;
    int mma = 0;
    while (mma < mmas) {
        const int left = frags + loads;
        const int choice = random_int(random, 0, left + (mmas - mma) - 1);
        swp_op *op = &out->ops[out->count++];
        if (choice < frags) {
            *op = random_frag(random, &out->config, half);
            frags--;
        } else if (choice < left) {
            *op = random_load(random, half, loads == 1);
            loads--;
        } else if (mma + 1 < mmas || left == 0) {
            *op = mma_op(mma / out->config.n_mmas, mma % out->config.n_mmas);
            mma++;
        } else {
            out->count--;
        }
    }
}

static void random_schedule(test_random *random, swp_schedule_config *sched)
{
    *sched = swp_schedule_config_default();
    sched->scheduling = (swp_strategy)random_int(random, 0, 2);
    sched->sched_barrier_mask = (uint64_t)random_int(random, 0, 4095);
    sched->drain_lgkm_mask = (uint64_t)random_int(random, 0, 4095);
    sched->auto_waits = random_chance(random, 60);
    sched->auto_drain = random_chance(random, 30);
    sched->lds_contention_penalty = random_chance(random, 40) ? random_int(random, 1, 10) : 0;
    sched->wait_lgkm_first = random_chance(random, 20) ? 255 : random_int(random, 0, 9);
    sched->wait_vm_last = random_int(random, 0, 9);
    sched->lgkm_after_last = random_chance(random, 30);
    sched->minimal_barriers = random_chance(random, 40);
    sched->omit_mma_set_prio = sched->minimal_barriers && random_chance(random, 40);
    sched->global_before_frag = random_chance(random, 30);
    sched->barrier_before_pre_ops = random_chance(random, 30);
    sched->inter_block_lgkm_drain = random_chance(random, 30);
    sched->wrap_waits_with_sched_barrier = random_chance(random, 30);
    sched->max_vgpr = random_chance(random, 15) ? random_int(random, 40, 200) : SWP_NO_VGPR_LIMIT;
}

/* Now and then something that no program can hold. */
static void spoil(test_random *random, random_pipeline *out)
{
    const size_t index = (size_t)random_int(random, 0, (int)out->count - 1);
    if (random_chance(random, 3))
        out->ops[index] = store_op(0, 0, 0);
    if (random_chance(random, 2))
        out->count--;
    if (random_chance(random, 2))
        out->config.m_mmas++;
    if (random_chance(random, 2))
        out->ops[out->count - 1] = out->ops[index];
}

void random_pipeline_fill(test_random *random, random_pipeline *out)
{
    out->count = 0;
    out->config = swp_pipeline_config_default();
    out->config.m_mmas = random_int(random, 1, 3);
    out->config.n_mmas = random_int(random, 1, out->config.m_mmas == 3 ? 2 : 3);
    out->config.block_sizing.max_globals = random_int(random, 0, 3);
    out->config.lgkm_per_load_a = random_int(random, 0, 8);
    out->config.vm_per_load_b = random_int(random, 0, 8);
    out->config.warp_stagger =
        random_chance(random, 30) ? swp_warp_stagger_auto() : swp_warp_stagger_none();
    out->config.cross_stage_rotation = random_chance(random, 25);
    const int frags = random_int(random, 0, 8);
    const int loads = random_int(random, 1, 8);
    fill_half(random, out, 0, frags, loads);
    fill_half(random, out, 1, frags, loads);
    random_schedule(random, &out->sched);
    spoil(random, out);
}
