/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses that each thread has in flight by itself, in the queues of its counters and of its groups of copies. */
#ifndef SWP_HAPPENS_BEFORE_QUEUES_H
#define SWP_HAPPENS_BEFORE_QUEUES_H

#include "happens_before/run.h"
#include "ir/sync_objects.h"

/* Whether each thread waits by itself for what it has of the step. */
static inline bool swp_happens_is_queued(const swp_happens_step *step)
{
    return step->queue != SWP_NO_OBJECT;
}

/* The moment by which a thread's own access is over; -1: nothing that the run has so far retires it. */
static inline int swp_happens_own_end(const swp_happens_step *step)
{
    if (step->retired_by < 0)
        return -1;
    return swp_happens_return(step->is_retired_at_issue ? step->retired_by - 1 : step->retired_by);
}

/* Whether a wait of any thread of the instance tells that what all of its threads have of the access is over. */
bool swp_happens_ends_for_all(const swp_happens_run *run, int instance, int step);

/* Whether who needs the register that it makes waits for it by himself. */
bool swp_happens_is_managed(const swp_happens_run *run, const swp_happens_step *step);

/* Whether an op that may not run waits for an access, where it runs. Nothing comes of that for others. */
bool swp_happens_waits_alone(const swp_happens_run *run, int instance, int step, int access);

/* What a step that is laid retires in the queues of each thread of its instance. */
void swp_happens_lay_queues(swp_happens_run *run, int instance, int step);

/* Whether the queue's count wraps, so that more in it than it can tell is a hazard. */
bool swp_happens_wraps(const swp_machine *machine, swp_sync_object object);

/* Accesses that are known to be in a queue of an instance behind a step, of those that were in it before. */
int swp_happens_left_by(const swp_happens_run *run, int instance, swp_sync_object object, int step,
                        int before);

/* Whether two accesses of one thread take effect as they are issued. */
bool swp_happens_takes_effect_in_order(const swp_happens_step *earlier,
                                       const swp_happens_step *later);

#endif
