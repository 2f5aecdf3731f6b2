/* SPDX-License-Identifier: Apache-2.0 */
/* What sm_90's machine code is made of that warp roles are: copies, wgmmas, and what orders them. */
#ifndef SWP_AUDIT_SASS_EVENTS_H
#define SWP_AUDIT_SASS_EVENTS_H

#include "audit/code/insn.h"

/* X(kind, whether one thread of an instance may be the only one to execute it). */
/* clang-format off */
#define SWP_SASS_EVENTS(X) \
    X(NONE,           false) \
    X(INIT,           true)  /* of an mbarrier */ \
    X(WAIT,           true)  /* for a phase of an mbarrier */ \
    X(ARRIVE,         true) \
    X(ARRIVE_EXPECT,  true) \
    X(COPY,           true)  /* a bulk or tensor copy to shared memory */ \
    X(STORE,          true)  /* one from there */ \
    X(BULK_COMMIT,    true) \
    X(BULK_WAIT,      true)  /* value: groups that may be in flight */ \
    X(MMA,            false) /* wgmma */ \
    X(MATRIX_COMMIT,  false) \
    X(MATRIX_WAIT,    false) /* value: groups that may be in flight */ \
    X(MATRIX_FENCE,   false) \
    X(FENCE_ASYNC,    true) \
    X(SYNC,           false) /* value: number of the named barrier */ \
    X(NAMED_ARRIVE,   false) /* value: the same */ \
    X(CLUSTER_ARRIVE, false) \
    X(CLUSTER_WAIT,   false)
/* clang-format on */

#define SWP_ENUMERATOR(kind, ...) SWP_SASS_EVENT_##kind,
typedef enum swp_sass_event_kind {
    SWP_SASS_EVENTS(SWP_ENUMERATOR) SWP_SASS_EVENT_COUNT
} swp_sass_event_kind;
#undef SWP_ENUMERATOR

enum { SWP_ANY_VALUE = -1 }; /* it is in a register */

typedef struct swp_sass_event {
    swp_sass_event_kind kind;
    int value;
    bool on_condition;
} swp_sass_event;

enum { SWP_MOST_SASS_EVENTS = 2 };

/* The events of an instruction, in their order: the last wgmma of a group ends it. Returns how many. */
int swp_sass_events_of(const swp_insn *insn, swp_sass_event out[SWP_MOST_SASS_EVENTS]);

bool swp_sass_may_be_of_one_thread(swp_sass_event_kind kind);

/* Whether it is none of the events, and changes nothing that orders them. */
bool swp_sass_is_beside_roles(const swp_insn *insn);

/* The predicate that a wait for a phase says its success in, such as P1; empty: none can be told. */
swp_slice swp_sass_success_of(const swp_insn *insn);

/* Whether a branch is on this predicate; `negated`: it is taken where that is false. */
bool swp_sass_branches_on(const swp_insn *insn, swp_slice predicate, bool *negated);

/* Taken until each thread has had its turn with what the loop does once for it. */
bool swp_sass_repeats_by_thread(const swp_insn *insn);

#endif
