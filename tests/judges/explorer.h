/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The third judge of schedules: every execution of the machine (docs/verification.md), for every
 * legal number of tiles up to a limit. It steps waves, counters, barriers and accesses in flight,
 * sees what each read gets, and only then asks what is wrong. It shares nothing with the other two
 * but the types.
 */
#ifndef TEST_JUDGES_EXPLORER_H
#define TEST_JUDGES_EXPLORER_H

#include "judgement.h"

typedef struct explorer_options {
    int most_tiles;
    size_t most_states; /* of one exploration */
    bool at_once;       /* all places and registers in one exploration */
    bool every_order;   /* no order is left out, however independent the steps */
} explorer_options;

typedef struct exploration {
    judgement judged;
    int smallest_n; /* with which some execution goes wrong, whatever it is called; 0: none */
    size_t states;  /* with more than one step to choose from, over all numbers of tiles */
    bool too_big;   /* most_states was reached: what was judged is not all */
} exploration;

exploration explorer_judge(const swp_schedule *schedule, const explorer_options *options);

#endif
