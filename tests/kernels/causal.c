/* SPDX-License-Identifier: Apache-2.0 */
/* The same with a causal mask, an op that looks at its iteration. */
#include "kernel.h"

#include "causal_schedule.h"

enum { CAUSAL = true };
#include "attention_loads.h"
#include "causal_mask.h"

static const op LOAD_K = {"LOAD_K", VMCNT, LOOP_LOAD_K_VM_COST, .writes = {&K}, .work = load_k};
static const op LOAD_V = {"LOAD_V", VMCNT, LOOP_LOAD_V_VM_COST, .writes = {&V}, .work = load_v};

#include "attention_on_amd.h"
