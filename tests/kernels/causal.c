/* SPDX-License-Identifier: Apache-2.0 */
/* The same with a causal mask, an op that looks at its iteration. */
#include "kernel.h"

#include "causal_schedule.h"

enum { CAUSAL = true };
#include "attention_loads.h"

/* Only the last tile stands on the diagonal. */
static void mask(const task *t)
{
    scores *s = t->made[0];
    for (int row = 0; row < ROWS; row++)
        for (int j = 0; j < KEYS; j++)
            if (!is_seen(t->wave, row, t->iteration * KEYS + j))
                (*s)[row][j] = -INFINITY;
}

static const op LOAD_K = {"LOAD_K", VMCNT, LOOP_LOAD_K_VM_COST, .writes = {&K}, .work = load_k};
static const op LOAD_V = {"LOAD_V", VMCNT, LOOP_LOAD_V_VM_COST, .writes = {&V}, .work = load_v};
static const op MASK = {"MASK", .updates = {&S}, .work = mask};
#define LOOP_MASK(ctx, i, ...) TELL(MASK, i, __VA_ARGS__)

#include "attention_on_amd.h"
