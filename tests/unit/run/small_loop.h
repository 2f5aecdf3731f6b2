/* SPDX-License-Identifier: Apache-2.0 */
/* Small schedules written as text, and what their runs are expected to come to. */
#ifndef TEST_RUN_SMALL_LOOP_H
#define TEST_RUN_SMALL_LOOP_H

#include "fixture.h"
#include "ops.h"

#include "swp/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline swp_k_offset k_offset_in(const char *word)
{
    const char *at = strchr(word, '@');
    if (!at)
        return SWP_K_NONE;
    if (!strcmp(at, "@k0"))
        return SWP_K0;
    if (!strcmp(at, "@k1"))
        return SWP_K1;
    return !strcmp(at, "@prev") ? SWP_K_PREV : SWP_K_NEXT;
}

/* A word as in ops.h: LA01@k0 FB10 M00 S00 bar vm4 lgkm0 sb; each access is counted once. */
static inline swp_op op_of_word(const char *word)
{
    const int channel = word[1] == 'B';
    swp_op op = swp_op_schedule_barrier();
    if (!strcmp(word, "bar"))
        return swp_op_barrier();
    if (!strncmp(word, "vm", 2))
        return swp_op_wait_vm(atoi(word + 2));
    if (!strncmp(word, "lgkm", 4))
        return swp_op_wait_lgkm(atoi(word + 4));
    if (word[0] == 'L')
        op = load_op(channel, word[2] - '0', word[3] - '0', k_offset_in(word));
    else if (word[0] == 'F')
        op = frag_op(channel, word[2] - '0', word[3] - '0');
    else if (word[0] == 'M')
        op = mma_op(word[1] - '0', word[2] - '0');
    else if (word[0] == 'S')
        op = store_op(0, 0, 0);
    op.vm_cost = op.role == SWP_GLOBAL_LOAD;
    op.lgkm_cost = op.role == SWP_FRAGMENT_LOAD || op.role == SWP_SHARED_STORE;
    return op;
}

static inline swp_entry_list entries_of_text(swp_context *ctx, swp_phase phase, const char *text)
{
    swp_entry_list entries = {0};
    char word[16];
    int length = 0;
    for (; sscanf(text, "%15s%n", word, &length) == 1; text += length) {
        const swp_entry entry = {.op = op_of_word(word), .phase = phase};
        assert_ok(ctx, swp_entry_list_push(ctx, &entries, entry));
    }
    return entries;
}

/* One group of two waves, raw barriers, managed registers, one tile a pass from N = 1 on. */
static inline swp_schedule small_loop(swp_context *ctx, const char *prologue, const char *kernel,
                                      const char *epilogue)
{
    static const char *names[SWP_SCHEDULE_TAGS];
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++)
        names[tag] = "op";
    swp_schedule schedule = {.name = "small",
                             .target = "",
                             .stream_count = 1,
                             .machine = swp_machine_default(),
                             .loop = {1, 1, 1, 1, 1, 1, SWP_PLACE_K_OFFSET},
                             .op_names = names};
    schedule.machine.waves_per_group = 2;
    schedule.streams[0].prologue = entries_of_text(ctx, SWP_PROLOGUE, prologue);
    schedule.streams[0].kernel = entries_of_text(ctx, SWP_KERNEL, kernel);
    schedule.streams[0].epilogue = entries_of_text(ctx, SWP_EPILOGUE, epilogue);
    return schedule;
}

/* A loop that is right: one buffer of A and B, loaded for the next tile after the last read. */
#define SAFE_PROLOGUE "LA00@k0 LB00@k0 vm0 bar"
#define SAFE_KERNEL "FA00 FB00 lgkm0 bar LA00@k0 LB00@k0 M00 vm0 bar"
#define SAFE_EPILOGUE "FA00 FB00 M00"

static inline swp_schedule safe_loop(swp_context *ctx)
{
    return small_loop(ctx, SAFE_PROLOGUE, SAFE_KERNEL, SAFE_EPILOGUE);
}

/* The single buffer: loads to a staging register, one place in LDS, fenced barriers. */
static inline swp_schedule single_buffer_loop(swp_context *ctx)
{
    swp_schedule schedule =
        small_loop(ctx, "LA00 S00 bar", "LA00 FA00 M00 bar S00 bar", "FA00 M00");
    schedule.loop.first_base = 0;
    schedule.loop.placement = SWP_PLACE_NEXT_TILE;
    schedule.machine.barrier = SWP_BARRIER_FENCED;
    return schedule;
}

static inline swp_run_outcome run_once(swp_context *ctx, const swp_schedule *schedule, int n,
                                       swp_timing timing, uint64_t seed)
{
    const swp_run_options options = {.n = n, .timing = timing, .seed = seed};
    swp_run_outcome outcome;
    assert_ok(ctx, swp_run(ctx, schedule, &options, &outcome));
    return outcome;
}

/* How many of 64 runs for each N up to 6 go wrong. */
static inline long wrong_runs(swp_context *ctx, const swp_schedule *schedule, swp_timing timing)
{
    const swp_run_sweep sweep = {.most = 6, .seeds = 64, .timing = timing};
    swp_run_summary summary;
    assert_ok(ctx, swp_run_many(ctx, schedule, &sweep, &summary));
    return summary.wrong;
}

static inline void expect_right(swp_context *ctx, const swp_schedule *schedule)
{
    assert_int_equal(wrong_runs(ctx, schedule, SWP_TIMING_ADVERSARIAL), 0);
    assert_int_equal(wrong_runs(ctx, schedule, SWP_TIMING_RANDOM), 0);
}

static inline void expect_wrong(swp_context *ctx, const swp_schedule *schedule)
{
    assert_true(wrong_runs(ctx, schedule, SWP_TIMING_ADVERSARIAL) > 0);
}

#endif
