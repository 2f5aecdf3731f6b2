/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file debug.h  Schedules as readable text (the published debug module).
 *
 * Texts are owned by the context and end with a newline.
 */
#ifndef SWP_DEBUG_H
#define SWP_DEBUG_H

#include "swp/compile.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Synchronisation of a phase, counted. */
typedef struct swp_sync_counts {
    int vm_waits;
    int lgkm_waits;
    int merged_waits; /**< vm waits directly followed by an lgkm wait: one instruction */
    int barriers;
    int schedule_barriers;
} swp_sync_counts;

SWP_API swp_sync_counts swp_count_sync(const swp_entry_list *entries);

/** One line: prefix (NULL: none), index, name, slot, subtile, k offset, wait, prefetch mark. */
SWP_API swp_status swp_dump_entry(swp_context *ctx, const char *prefix, const swp_entry *entry,
                                  const swp_op_namer *namer, char **text);

/** A phase header, then a line for each entry. */
SWP_API swp_status swp_dump_phase(swp_context *ctx, const char *title,
                                  const swp_entry_list *entries, const swp_op_namer *namer,
                                  char **text);

/** dump_program_blocks: what each block holds: waits, loads, MMA, flags. */
SWP_API swp_status swp_dump_program_blocks(swp_context *ctx, const swp_program *program,
                                           const swp_op_namer *namer, char **text);

#ifdef __cplusplus
}
#endif
#endif
