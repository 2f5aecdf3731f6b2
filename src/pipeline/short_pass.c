/* SPDX-License-Identifier: Apache-2.0 */
/* Finds more slots with which a pass, the common multiple of all numbers of slots, has fewer iterations. */
#include "pipeline/short_pass.h"

#include "ir/loop_dataflow.h"
#include "ir/roles.h"

#include <string.h>

/* More slots are looked for from the given ones on; values that are kept keep theirs. */
typedef struct shortening {
    const swp_loop *loop;
    const bool *kept;
    const int *given;
} shortening;

int swp_pipeline_long_pass(int pass, const int *slots, size_t count)
{
    const int most = swp_pipeline_most_of(slots, count);
    return pass > SWP_PIPELINE_SHORT_PASS && pass > most ? pass : 0;
}

/* The least number that divides the pass, of those that the value may have; 0: there is none. */
static int slots_of(const shortening *s, int value, int pass)
{
    const int given = s->given[value];
    const int most = s->kept[value] ? given : swp_ir_loop_most_slots(s->loop, value);
    for (int n = given; n <= most && n <= pass; n++)
        if (pass % n == 0)
            return n;
    return 0;
}

static bool fit(const shortening *s, int pass, int *slots)
{
    memcpy(slots, s->given, s->loop->value_count * sizeof *slots);
    for (int v = 0; v < (int)s->loop->value_count; v++) {
        const int n = swp_ir_is_of_passes(s->loop, v) ? slots_of(s, v, pass) : slots[v];
        if (n == 0)
            return false;
        swp_ir_loop_set_slots(s->loop, slots, v, n);
    }
    return swp_pipeline_has_room(s->loop, slots);
}

/* Slots are compared as schedules of equal cycles are (candidate.c). */
static bool is_less(const shortening *s, int pass, const int *slots, int than, const int *others)
{
    const size_t count = s->loop->value_count;
    const int64_t figures[][2] = {
        {swp_pipeline_long_pass(pass, slots, count), swp_pipeline_long_pass(than, others, count)},
        {swp_pipeline_bytes(s->loop, slots, SWP_SPACE_SHARED),
         swp_pipeline_bytes(s->loop, others, SWP_SPACE_SHARED)},
        {swp_pipeline_bytes(s->loop, slots, SWP_SPACE_REGISTERS),
         swp_pipeline_bytes(s->loop, others, SWP_SPACE_REGISTERS)},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (figures[i][0] != figures[i][1])
            return figures[i][0] < figures[i][1];
    return false;
}

swp_status swp_pipeline_shorten_slots(swp_context *ctx, const swp_loop *loop, const bool *kept,
                                      int pass, int *slots)
{
    const size_t count = loop->value_count;
    const shortening s = {.loop = loop, .kept = kept, .given = slots};
    int *best = NULL;
    int *other = NULL;
    int found = pass;
    SWP_TRY(SWP_TAKE(ctx, count, &best));
    SWP_TRY(SWP_TAKE(ctx, count, &other));
    memcpy(best, slots, count * sizeof *slots);
    for (int shorter = 1; shorter < pass; shorter++)
        if (fit(&s, shorter, other) && is_less(&s, shorter, other, found, best)) {
            memcpy(best, other, count * sizeof *slots);
            found = shorter;
        }
    memcpy(slots, best, count * sizeof *slots);
    return SWP_OK;
}
