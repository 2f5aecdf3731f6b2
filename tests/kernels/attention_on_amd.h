/* SPDX-License-Identifier: Apache-2.0 */
/* K and V are read from LDS to registers, and multiplied there. Included last: the kernel has the loads. */
#ifndef ATTENTION_ON_AMD_H
#define ATTENTION_ON_AMD_H

#include "attention.h"

REGISTERS(k, key_tile);
REGISTERS(v, key_tile);

static void read_tile(const task *t)
{
    memcpy(t->made[0], t->read[0], sizeof(key_tile));
}

static const op READ_K = {"READ_K",       LGKMCNT,       LOOP_READ_K_LGKM_COST,
                          .writes = {&k}, .reads = {&K}, .work = read_tile};
static const op READ_V = {"READ_V",       LGKMCNT,       LOOP_READ_V_LGKM_COST,
                          .writes = {&v}, .reads = {&V}, .work = read_tile};
static const op QK = {"QK", .writes = {&S}, .reads = {&k}, .work = qk};
static const op PV = {"PV", .updates = {&O}, .reads = {&P, &v}, .work = pv};

#define LOOP_READ_K(ctx, i, ...) TELL(READ_K, i, __VA_ARGS__)
#define LOOP_READ_V(ctx, i, ...) TELL(READ_V, i, __VA_ARGS__)

static void tell(int n)
{
    tiles = n;
    LOOP_RUN(NULL, n, 0);
}

const kernel the_kernel = {.waves = LOOP_WAVES,
                           .vm_max = 63,
                           .lgkm_max = 15,
                           .tell = tell,
                           .start = start,
                           .is_right = is_right};

#endif
