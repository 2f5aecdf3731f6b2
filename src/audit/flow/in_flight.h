/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory accesses from their issue until nothing can conflict with them any more: the bracket of
 * scores that says what each wait retires, and the barriers that follow.
 */
#ifndef SWP_AUDIT_FLOW_IN_FLIGHT_H
#define SWP_AUDIT_FLOW_IN_FLIGHT_H

#include "audit/flow/registers.h"

/* Barriers after the retirement that are told apart; so many stand for any number from there. */
enum { SWP_MOST_BARRIERS = 8 };

/*
 * The latest issue of an instruction that has one. Where paths join, the least that holds on all of
 * them: an earlier issue of the same instruction is never less retired than the latest.
 */
typedef struct swp_access_state {
    bool present; /* issued on some path, and some later access may conflict with it */
    bool waiting[SWP_AUDIT_COUNTERS]; /* not retired by this counter */
    /* in-order accesses issued after it on the counter, at least */
    uint8_t after[SWP_AUDIT_COUNTERS];
    uint8_t barriers;      /* since it was retired, at least; SWP_MOST_BARRIERS at most */
    uint8_t most_barriers; /* the same on the path that has the most */
    uint32_t unused;    /* a bit for each register that it loads: in flight, and not used since */
    int wait;           /* the last wait on its counter that did not retire it; -1: none */
    uint8_t wait_after; /* what `after` was there */
} swp_access_state;

/* Events, ascending. */
typedef struct swp_event_list {
    int *items;
    int count;
} swp_event_list;

/* The abstract state at one point of a program: what registers contain, and what is in flight. */
typedef struct swp_point {
    bool reached;
    swp_registers registers;
    swp_access_state *accesses; /* one for each event */
    /*
     * Of a point that is transferred from: what is in flight, and the retired accesses whose barriers
     * still count. They are few, however long the program is.
     */
    swp_event_list in_flight;
    swp_event_list retired;
} swp_point;

/* An instruction that accesses memory, in one of the copies of the loop that it is in. */
typedef struct swp_flow_event {
    int insn;
    int copy;
} swp_flow_event;

typedef struct swp_event_table {
    const swp_machine_code *code;
    swp_flow_event *items;
    int count;
    bool one_wave; /* nothing is done once it is retired: there is nobody to order it for */
} swp_event_table;

const swp_insn *swp_flow_event_insn(const swp_event_table *events, int event);

bool swp_flow_is_in_flight(const swp_access_state *access);

/* The first counter that does not retire it; -1: it is retired. */
int swp_flow_waiting_counter(const swp_access_state *access);

/* The bits of `unused` that an operand overlaps: bit i is the i-th register that the access loads. */
uint32_t swp_flow_event_overlap(const swp_event_table *events, int event,
                                const swp_operand *operand);

/* Fills in the lists of a point that have room for all events. */
void swp_flow_in_flight_list(const swp_event_table *events, swp_point *point);

/* The transfer function of an instruction. `event` is its own, -1 if it has none. */
void swp_flow_in_flight_transfer(const swp_event_table *events, swp_point *point, int insn,
                                 int event);

/* The join of two paths; returns whether `into` changed. */
bool swp_flow_in_flight_join(const swp_event_table *events, swp_access_state *into,
                             const swp_access_state *from);

#endif
