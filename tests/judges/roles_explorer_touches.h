/* SPDX-License-Identifier: Apache-2.0 */
/* What the ops of a run with warp roles read and make (docs/loops-proof.md, "What an entry does"). */
#ifndef TEST_JUDGES_ROLES_EXPLORER_TOUCHES_H
#define TEST_JUDGES_ROLES_EXPLORER_TOUCHES_H

#include "roles_explorer_run.h"

typedef struct rx_touch {
    int value;
    bool makes;
    bool updates; /* the read or the write of an update */
    bool input;   /* of a value that no op makes */
    int version;
    int tile; /* that it wants, or makes */
} rx_touch;

typedef struct rx_touches {
    rx_touch items[4 * SWP_LOOP_OPERANDS];
    int count;
} rx_touches;

/* Reads first. None of a step that is no op. */
rx_touches rx_touches_of(const rx_run *run, const rx_step *step);

bool rx_is_shared(const rx_run *run, int value);
int rx_slots(const rx_run *run, int value);

/* The slot of a version, and the tile that a slot holds before the loop. */
int rx_slot_of(const rx_run *run, int value, int version);
int rx_first_tile(const rx_run *run, int value, int slot);
/* The tile that stood in the place of one before that was made. */
int rx_replaced_tile(const rx_run *run, const rx_touch *made);

/* Whether an op reads the value or updates it, and so sees which write of it was last. */
bool rx_is_read(const rx_run *run, int value);

/* The stream whose op makes a value; -1: there is none. */
int rx_maker_stream(const rx_run *run, int value);

/* Whether an instance touches the share of that instance of the stream that makes the value. */
bool rx_touches_share(const rx_run *run, const rx_instance *instance, int value, int share);

/* Shares of a shared value, and whether ops of two instances touch a common one. */
int rx_shares(const rx_run *run, int value);
bool rx_meet_in(const rx_run *run, const rx_instance *a, const rx_instance *b, int value);

#endif
