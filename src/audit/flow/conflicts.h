/* SPDX-License-Identifier: Apache-2.0 */
/* Conflicts of accesses in a function, from the abstract state at each of its points. */
#ifndef SWP_AUDIT_FLOW_CONFLICTS_H
#define SWP_AUDIT_FLOW_CONFLICTS_H

#include "audit/flow/lag.h"
#include "swp/audit.h"

/* Whether it matters which of two LDS accesses comes first. */
typedef enum swp_lds_order {
    SWP_ORDER_FREE,
    SWP_ORDER_MAY_MATTER,
    SWP_ORDER_MATTERS
} swp_lds_order;

/* A conflict of two accesses, or of a register and its load, before its texts are made. */
typedef struct swp_conflict {
    swp_hazard_kind kind;
    bool certain;
    int at; /* instructions */
    int other;
    int event;                  /* of `other` */
    int own;                    /* event of `at`; -1: none */
    swp_access_state access;    /* of `other`, before `at` */
    bool out_of_order;          /* `other` retires so: only a wait for 0 will do */
    int counter;                /* that does not retire `other`; -1: it is retired */
    const swp_operand *operand; /* the register in question; NULL: LDS */
    bool written;               /* the register is overwritten, not read */
    int waves[2];               /* of `other` and `at`; the same one twice: within a wave */
    int barriers_wanted;        /* after the retirement of `other` */
    int divergent_branch;       /* the branch where their waves diverge; -1: none */
    bool before_branch;         /* `other` is on neither path */
    bool swapped;               /* `at` is on the path that was watched */
    bool at_once;               /* both are one instruction, of two waves at once */
    swp_lds_order order;
    int lag_unknown; /* the branch after which waves may lag; -1: they do not, or it is known */
    unsigned copies; /* a bit for each copy of a loop in, or after, which it is certain */
    bool iterations_matter; /* it depends on how often the loop iterated before */
    bool shown;             /* a run with some arguments shows it */
    int related[2];         /* branches on the way to it that may exclude each other; -1: none */
} swp_conflict;

typedef struct swp_conflict_list {
    swp_conflict *items;
    size_t count;
    size_t capacity;
} swp_conflict_list;

/* Whether the order of two LDS accesses matters, by their events, and the hazard if they are exchanged. */
swp_lds_order swp_flow_lds_order_of(const swp_fixpoint *fixpoint, int first, int second,
                                    swp_hazard_kind *kind);

/* What an instruction reads besides its operands and may have been loaded; no registers: nothing. */
swp_operand swp_flow_implied_operand(const swp_insn *insn);

/* Whether all threads that an LDS write writes for write the same value. */
bool swp_flow_writes_one_value(const swp_fixpoint *fixpoint, const swp_point *point, int index);

/* One for each instruction and kind, in the order of the code. */
swp_status swp_flow_find_conflicts(swp_fixpoint *fixpoint, const swp_lags *lags,
                                   swp_conflict_list *out);

/* The conflict in words. */
swp_status swp_flow_conflict_describe(const swp_fixpoint *fixpoint, const swp_conflict *conflict,
                                      swp_audit_finding *out);

#endif
