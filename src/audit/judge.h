/* SPDX-License-Identifier: Apache-2.0 */
/* What goes wrong in a function, from what holds at each of its points. */
#ifndef SWP_AUDIT_JUDGE_H
#define SWP_AUDIT_JUDGE_H

#include "audit/lag.h"
#include "swp/audit.h"

/* A conflict of two accesses, or of a register and its load, before its texts are made. */
typedef struct swp_conflict {
    swp_hazard_kind kind;
    bool certain;
    int at; /* instructions */
    int other;
    int event;                  /* of `other` */
    int own;                    /* event of `at`; -1: none */
    swp_flight flight;          /* of `other`, before `at` */
    bool out_of_order;          /* `other` retires so: only a wait for 0 will do */
    int counter;                /* that does not retire `other`; -1: it is retired */
    const swp_operand *operand; /* the register in question; NULL: LDS */
    bool written;               /* the register is overwritten, not read */
    int waves[2];               /* of `other` and `at`; the same one twice: within a wave */
    int barriers_wanted;        /* after the retirement of `other` */
    int parted;        /* the branch that leads their waves different ways at once; -1: none */
    int lag_unknown;   /* the branch after which waves may lag; -1: they do not, or it is known */
    unsigned copies;   /* a bit for each copy of a loop in, or after, which it is certain */
    bool turns_matter; /* it depends on how often the loop went round before */
} swp_conflict;

typedef struct swp_conflict_list {
    swp_conflict *items;
    size_t count;
    size_t capacity;
} swp_conflict_list;

/* The hazard if the second access comes before the first; false if they do not conflict. */
bool swp_lds_hazard(const swp_insn *first, const swp_insn *second, swp_hazard_kind *kind);

/* Conflicts of accesses that waves come to on different ways, and no way leads from one to the other. */
swp_status swp_judge_sides(swp_trace *trace, swp_conflict_list *out);

/* One for each instruction and kind, in the order of the code. */
swp_status swp_judge(swp_trace *trace, const swp_lags *lags, swp_conflict_list *out);

/* The conflict in words. */
swp_status swp_conflict_describe(const swp_trace *trace, const swp_conflict *conflict,
                                 swp_audit_finding *out);

#endif
