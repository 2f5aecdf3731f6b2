/* SPDX-License-Identifier: Apache-2.0 */
/* Timings: who decides, step by step, what of the permitted happens next. */
#ifndef SWP_RUN_TIMING_H
#define SWP_RUN_TIMING_H

#include "run/machine.h"

/* Numbers of a seed, one after the other. */
typedef struct swp_run_random {
    uint64_t seed;
    uint64_t drawn;
} swp_run_random;

/* The timing that an adversarial one comes to; else itself. */
swp_timing swp_run_timing_of(swp_timing timing, uint64_t seed);

/* From 0 to limit - 1. */
int swp_run_draw(swp_run_random *random, int limit);

/* What a thread, or wave, issues as its step of this number. */
typedef struct swp_run_target {
    int thread;
    int step;
} swp_run_target;

/* Lets the accesses take effect that the wave's next step needs done, and issues it. */
swp_status swp_run_advance(swp_run_machine *m, int wave);

/* Lets the accesses take effect that the wave's next step needs done. */
swp_status swp_run_land_needed(swp_run_machine *m, int wave);

/* The moment of a step that a thread comes to. Waves return as they issue. */
typedef enum swp_run_moment { SWP_RUN_BEFORE, SWP_RUN_ISSUED, SWP_RUN_RETURNED } swp_run_moment;

/*
 * Has a thread come to a step, and of everything else only what that needs. `reached` is false if it would wait for ever
 * on its way.
 */
swp_status swp_run_help_to(swp_run_machine *m, swp_run_target target, swp_run_moment moment,
                           bool *reached);

/* The same as the wave issues the step, whether it needs to run or not. */
swp_status swp_run_reach(swp_run_machine *m, swp_run_target target, bool *reached);

/* Lets the access take effect, and before it what must, and what the machine's conflict asks for. */
swp_status swp_run_land(swp_run_machine *m, int access);

/* Whether the access is in flight and a write of the machine's conflict, with the right tile. */
bool swp_run_brings(const swp_run_machine *m, int access, bool right_tile);

/*
 * Hurries `early` and delays `late` as far as the machine permits; `raced` says whether `early`
 * issued, and took effect if it is an access, while `late` had not taken effect.
 */
swp_status swp_run_race(swp_run_machine *m, swp_run_target early, swp_run_target late, bool *raced);

/*
 * The same with all other waves and accesses as early as possible, so that nothing else goes wrong
 * if it need not: only what needs `late` done waits until `early` was there.
 */
swp_status swp_run_delay(swp_run_machine *m, swp_run_target early, swp_run_target late,
                         bool *raced);

/* The rest of the run: threads in turn, every access at once… */
swp_status swp_run_rest(swp_run_machine *m);
/* …or of warp roles no operation before a thread waits for it. */
swp_status swp_run_rest_late(swp_run_machine *m);

/* A run of warp roles in which one thread does each of its steps as late as it can. */
swp_status swp_run_with_last(swp_run_machine *m, int thread);

/* All of a run. `chosen` is the timing that an adversarial one came to. */
swp_status swp_run_with(swp_run_machine *m, swp_timing timing, uint64_t seed, swp_timing *chosen);

/* The same of warp roles, of a timing that is not adversarial. */
swp_status swp_run_roles_with(swp_run_machine *m, swp_timing timing, swp_run_random *random);

#endif
