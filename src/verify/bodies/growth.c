/* SPDX-License-Identifier: Apache-2.0 */
/* Finds in which round a count that grows first comes to what it is compared with, entry by entry. */
#include "verify/bodies/growth.h"

#include "verify/bodies/state.h"

typedef struct counting {
    const swp_growth *growth;
    int64_t a_round; /* accesses */
    int64_t count;
    int repeats;
} counting;

static int64_t accesses_of_pass(const swp_growth *growth)
{
    int64_t accesses = 0;
    for (int i = 0; i < growth->model->effects.lengths[SWP_KERNEL]; i++) {
        const swp_effect *effect = &growth->model->effects.entries[SWP_KERNEL][i];
        accesses += effect->object == growth->object ? effect->accesses : 0;
    }
    return accesses;
}

int swp_bodies_growth_of(const swp_growth *growth)
{
    return (int)(growth->passes * accesses_of_pass(growth));
}

/* What has not come to the limit here does not either in the repeats. */
static void stay_below(counting *c, int64_t limit)
{
    const int64_t repeats = (limit - 1 - c->count) / c->a_round;
    if (c->count < limit && repeats < c->repeats)
        c->repeats = (int)repeats;
}

/* Whether it has come to a limit, and whether it is beyond that. */
static void look(counting *c, int limit)
{
    stay_below(c, limit);
    stay_below(c, (int64_t)limit + 1);
}

static void count_phase(counting *c, swp_phase phase)
{
    const swp_model *model = c->growth->model;
    const swp_sync_object object = c->growth->object;
    for (int i = 0; i < model->effects.lengths[phase]; i++) {
        const swp_effect *effect = &model->effects.entries[phase][i];
        if (effect->object == object && effect->accesses > 0) {
            c->count += effect->accesses;
            look(c, model->most_after[object]);
        }
        if (effect->kind == SWP_EFFECT_WAIT &&
            effect->waits == swp_ir_sync_object_row(object)->wait)
            look(c, effect->wait);
    }
}

int swp_bodies_growth_repeats(const swp_growth *growth, int count)
{
    counting c = {growth, growth->passes * accesses_of_pass(growth), count, SWP_FOR_EVER};
    if (c.a_round == 0) /* it does not grow */
        return SWP_FOR_EVER;
    for (int pass = 0; pass < growth->passes + growth->ahead; pass++) {
        counting end = c;
        if (pass >= growth->ahead)
            count_phase(&end, SWP_EPILOGUE);
        c.repeats = end.repeats;
        count_phase(&c, SWP_KERNEL);
    }
    return c.repeats;
}
