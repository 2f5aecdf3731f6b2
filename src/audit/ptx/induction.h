/* SPDX-License-Identifier: Apache-2.0 */
/* An induction over periods of a kernel's loops (induction.c): two runs that differ by a period, and what a period changes. */
#ifndef SWP_AUDIT_PTX_INDUCTION_H
#define SWP_AUDIT_PTX_INDUCTION_H

#include "audit/ptx/liveness.h"

enum { SWP_PTX_MOST_STAGES = 64 };

/* Branches of a lane in the longer run that the shorter one has not. */
typedef struct swp_ptx_stretch {
    int at;
    int count;
} swp_ptx_stretch;

typedef struct swp_ptx_stretches {
    swp_ptx_stretch items[SWP_PTX_MOST_STAGES];
    int count;
} swp_ptx_stretches;

typedef struct swp_ptx_induction {
    swp_context *ctx;
    const swp_ptx_run *form;
    swp_ptx_argument *argument;
    int from;  /* values of the argument from here on are shown: as they are… */
    int value; /* …or from this one on, where all counts are 0 */
    int period;
    int64_t most;  /* periods before, or to come */
    int leader;    /* the warp that is held… */
    bool together; /* …and all that go its way with it… */
    int back; /* …so many branches before the one that differs: what decides that one stands between */
    swp_ptx_stretches of_lane[SWP_PTX_LANES]; /* of the leader */
    int stages;                               /* stretches of each lane that has any */
    bool strict;                              /* all lanes do the same but for stretches */
    swp_ptx_run *shorter;
    swp_ptx_run *longer;
    int64_t *growth[SWP_PTX_MOST_WARPS]; /* of each register in a period… */
    uint32_t *idle[SWP_PTX_MOST_WARPS];  /* …but of these lanes, which read it no more */
    swp_ptx_ways ways;
    bool *lost[SWP_PTX_MOST_WARPS]; /* that is not followed */
    swp_ptx_run *later;             /* the end of the last period that was followed */
    int64_t steps;                  /* of all runs so far */
} swp_ptx_induction;

/* --- one period, held at one place (induction.c) --- */

/* A run of so many passes, whatever the elements of the last one are. */
swp_status swp_ptx_record_run(swp_ptx_induction *n, int value, swp_ptx_run **out);
/* Whether it came to its end, with nothing that is wrong or in doubt. */
bool swp_ptx_has_ended(const swp_ptx_run *run);
/* A run from its start to its end, whatever the periods before and the elements of the last pass are. */
swp_status swp_ptx_follow_whole(swp_ptx_induction *n, int64_t periods, bool *holds);
/* Any number of periods, with the leader held where each begins. */
swp_status swp_ptx_show_with_leader(swp_ptx_induction *n, bool *holds);

/* --- where periods begin and end (induction_stretches.c) --- */

bool swp_ptx_all_have_stretches(const swp_ptx_induction *n);
/* Whether all lanes of the leader that do more do so equally often. */
bool swp_ptx_find_stages(swp_ptx_induction *n);
/* Whether all lanes of two warps took the same branches. */
bool swp_ptx_go_alike(const swp_ptx_warp *a, const swp_ptx_warp *b);
/* At the start or the end of a stage. All warps but the leader go on until they have to wait. */
void swp_ptx_hold(const swp_ptx_induction *n, int stage, bool at_end, swp_ptx_run *run);
void swp_ptx_release(swp_ptx_run *run);
/* Goes on to where all lanes are that have to be held; false: they do not come there together. */
swp_status swp_ptx_go_to_hold(swp_ptx_run *run, bool *held);

/* --- registers from period to period (induction_registers.c) --- */

/* By how much each register is more in the one state than in the other. */
swp_status swp_ptx_find_growths(swp_ptx_induction *n, const swp_ptx_run *a, const swp_ptx_run *b);
/* As registers and shared memory are after any number of periods. */
void swp_ptx_generalise(const swp_ptx_induction *n, swp_ptx_run *run);
/* Whether registers are at the end what they are at the start of the next period; those that are not are lost. */
bool swp_ptx_find_lost(swp_ptx_induction *n, const swp_ptx_run *start, const swp_ptx_run *end);
void swp_ptx_end_periods(swp_ptx_run *run);
/* The periods that have been are as many as the next stage will have had and has to come. */
void swp_ptx_begin_periods(const swp_ptx_induction *n, swp_ptx_run *run);

#endif
