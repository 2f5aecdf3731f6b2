/* SPDX-License-Identifier: Apache-2.0 */
/* The search for conflicts of a function, instruction by instruction, in the parts of it. */
#ifndef SWP_AUDIT_FLOW_CONFLICT_SEARCH_H
#define SWP_AUDIT_FLOW_CONFLICT_SEARCH_H

#include "audit/flow/conflicts.h"
#include "audit/flow/wave_paths.h"

typedef struct swp_conflict_search {
    swp_fixpoint *fixpoint;
    const swp_lags *lags;
    swp_conflict_list *out;
    swp_point point;      /* before the instruction that is checked */
    swp_wave_paths paths; /* there, of single waves, if some are ahead of others in barriers */
    bool *
        optional; /* by block: between a branch that waves take as nobody knows, and where they reconverge */
    size_t *known;       /* by instruction of the function and kind: 1 + its conflict; 0: none */
    int *alike;          /* by event: the first that accesses the same bytes in the same way */
    int *latest;         /* room for one event for each of those */
    int retired_at_most; /* retired accesses at which dominated ones are looked for again */
    int block;
    int copy;
} swp_conflict_search;

/* The conflict of an instruction with an earlier access, as certain as can be. */
swp_conflict swp_flow_conflict_with(const swp_conflict_search *s, swp_hazard_kind kind, int insn,
                                    int event);

/* One for each instruction and kind: the first, unless only a later one is certain. */
swp_status swp_flow_conflict_add(swp_conflict_search *s, swp_conflict *conflict);

/* The one that is known of an instruction and kind; NULL: none. */
const swp_conflict *swp_flow_conflict_known(const swp_conflict_search *s, int insn,
                                            swp_hazard_kind kind);

/* Finds `alike`, after the footprints and `optional`. */
swp_status swp_flow_find_alike_accesses(swp_conflict_search *s);

/* Takes retired accesses out of the point that a later one like them stands for, if there are many. */
void swp_flow_drop_dominated(swp_conflict_search *s);

/* Adds the registers of an instruction that a load may still write. */
swp_status swp_flow_check_registers(swp_conflict_search *s, int insn);

/* Adds the earlier LDS accesses that the one of an instruction may come before. */
swp_status swp_flow_check_lds(swp_conflict_search *s, int insn);

#endif
