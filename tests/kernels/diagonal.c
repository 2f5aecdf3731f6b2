/* SPDX-License-Identifier: Apache-2.0 */
/* The same with a causal mask that runs in the last iteration, and a rescaling that does not run in the first. */
#include "kernel.h"

#include "diagonal_schedule.h"

enum { CAUSAL = true };
#include "attention_loads.h"
#include "causal_mask.h"

static const op LOAD_K = {"LOAD_K", VMCNT, LOOP_LOAD_K_VM_COST, .writes = {&K}, .work = load_k};
static const op LOAD_V = {"LOAD_V", VMCNT, LOOP_LOAD_V_VM_COST, .writes = {&V}, .work = load_v};

#include "attention_on_amd.h"
