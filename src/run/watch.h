/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of warp roles (docs/roles-reference.md, "What must never happen"), watched while a run goes on. */
#ifndef SWP_RUN_WATCH_H
#define SWP_RUN_WATCH_H

#include "run/sync.h"

/* At the start: what the lists alone break. */
swp_status swp_run_watch_lists(swp_run_machine *m);
/* Which ops access which places; before anything happens. */
swp_status swp_run_note_uses(swp_run_machine *m);
/*
 * Of a hazard by whose rules the hardware's counts are those that are meant, the machine goes by what is meant. Then
 * what the lists alone break leads nobody astray.
 */
void swp_run_go_by(swp_run_machine *m, swp_hazard_kind kind);
/* Before a thread issues a step. */
swp_status swp_run_watch_issue(swp_run_machine *m, int thread);
/* Before it returns from a step that waits. */
void swp_run_watch_return(swp_run_machine *m, int thread);
/* After a phase of the slot of this step was completed in a rank. */
swp_status swp_run_watch_completion(swp_run_machine *m, int rank, const swp_run_step *step);
/* After all threads of a rank have ended. */
swp_status swp_run_watch_end(swp_run_machine *m, int rank);

/* The rules of operations on what ordinary instructions, or other operations in flight, access. */
swp_status swp_run_watch_accesses(swp_run_machine *m, int thread, const swp_run_step *step);

/* Notes a broken rule once for each entry. `other`: SWP_RUN_NOBODY, or a thread and its step. */
swp_status swp_run_break(swp_run_machine *m, swp_symptom rule, int thread, int step, int other,
                         int other_step);

#endif
