/* SPDX-License-Identifier: Apache-2.0 */
/* The causal mask as an op of the loop. Included after the loads. */
#ifndef CAUSAL_MASK_H
#define CAUSAL_MASK_H

/* Only the last tile stands on the diagonal. */
static void mask(const task *t)
{
    scores *s = t->made[0];
    for (int row = 0; row < ROWS; row++)
        for (int j = 0; j < KEYS; j++)
            if (!is_seen(t->wave, row, t->iteration * KEYS + j))
                (*s)[row][j] = -INFINITY;
}

static const op MASK = {"MASK", .updates = {&S}, .work = mask};
#define LOOP_MASK(ctx, i, ...) TELL(MASK, i, __VA_ARGS__)

#endif
