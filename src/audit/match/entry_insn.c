/* SPDX-License-Identifier: Apache-2.0 */
/* Reads off the effect of an entry which instruction carries it out, and what that counts in and accesses. */
#include "audit/match/entry_insn.h"

static int shared_among(const swp_accesses *accesses)
{
    for (size_t i = 0; i < accesses->count; i++)
        if (accesses->items[i].is_shared)
            return accesses->items[i].where;
    return -1;
}

swp_insn_kind swp_match_entry_insn(const swp_effect *effect)
{
    if (effect->kind == SWP_EFFECT_BARRIER)
        return SWP_INSN_BARRIER;
    if (effect->kind == SWP_EFFECT_WAIT)
        return SWP_INSN_WAIT;
    if (effect->accumulator >= 0)
        return SWP_INSN_MATRIX;
    if (effect->fetches)
        return SWP_INSN_LOAD_TO_LDS;
    return shared_among(&effect->reads) >= 0 ? SWP_INSN_LDS_READ : SWP_INSN_NOTHING;
}

int swp_match_counter_of(swp_wait_kind wait)
{
    return wait == SWP_WAIT_FOR_VM ? SWP_AUDIT_VM : SWP_AUDIT_LGKM;
}

int swp_match_entry_counter(const swp_effect *effect)
{
    return swp_match_counter_of(swp_ir_sync_object_row(effect->object)->wait);
}

int swp_match_entry_place(const swp_effect *effect)
{
    const int read = shared_among(&effect->reads);
    return read >= 0 ? read : shared_among(&effect->writes);
}

bool swp_match_entry_writes_register(const swp_effect *effect, int number)
{
    for (size_t i = 0; i < effect->writes.count; i++)
        if (!effect->writes.items[i].is_shared && effect->writes.items[i].where == number)
            return true;
    return false;
}
