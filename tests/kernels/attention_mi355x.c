/* SPDX-License-Identifier: Apache-2.0 */
/* FlashAttention-2 forward on MI355X. */
#include "kernel.h"

#include "attention_mi355x_schedule.h"

enum { CAUSAL = false };
#include "attention_loads.h"

static const op LOAD_K = {"LOAD_K", VMCNT, LOOP_LOAD_K_VM_COST, .writes = {&K}, .work = load_k};
static const op LOAD_V = {"LOAD_V", VMCNT, LOOP_LOAD_V_VM_COST, .writes = {&V}, .work = load_v};

#include "attention_on_amd.h"
