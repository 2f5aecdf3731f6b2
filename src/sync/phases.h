/* SPDX-License-Identifier: Apache-2.0 */
/* Phases with more synchronisation than they need, for the proof to take away. */
#ifndef SWP_SYNC_PHASES_H
#define SWP_SYNC_PHASES_H

#include "sync/dataflow.h"

/*
 * Writes the three phases: before every barrier of `gaps` both counters are waited down to 0. The
 * prologue is what the passes before the first do for tiles from 0 on, the epilogue what the passes
 * after the last do for tiles below N; both are synchronised at every operation.
 */
swp_status swp_write_phases(swp_context *ctx, const swp_dataflow *flow, const int *gaps,
                            swp_schedule *schedule);

#endif
