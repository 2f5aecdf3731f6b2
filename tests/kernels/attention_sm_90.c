/* SPDX-License-Identifier: Apache-2.0 */
/* FlashAttention-2 forward on sm_90 in one stream: TMA with mbarriers, and wgmma that reads K and V from shared memory. */
#include "kernel.h"

#include "attention_sm_90_schedule.h"

enum { CAUSAL = false };
#include "attention_loads.h"

static const op LOAD_K = {"LOAD_K", COPY_MBARRIER, 1, .writes = {&K}, .work = load_k};
static const op LOAD_V = {"LOAD_V", COPY_MBARRIER, 1, .writes = {&V}, .work = load_v};
static const op QK = {"QK", MATRIX_GROUP, 1, .writes = {&S}, .reads = {&K}, .work = qk};
static const op PV = {"PV", MATRIX_GROUP, 1, .updates = {&O}, .reads = {&P, &V}, .work = pv};

static void tell(int n)
{
    tiles = n;
    LOOP_RUN(NULL, n, 0);
}

const kernel the_kernel = {.waves = LOOP_WAVES,
                           .fenced = true,
                           .scoreboard = true,
                           .vm_max = 65535,
                           .lgkm_max = 65535,
                           .tell = tell,
                           .start = start,
                           .is_right = is_right};
