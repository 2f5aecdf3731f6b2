/* SPDX-License-Identifier: Apache-2.0 */
/* The generated header of a schedule with warp roles (docs/c-header.md, "Warp roles"). */
#ifndef SWP_EMIT_C_ROLES_H
#define SWP_EMIT_C_ROLES_H

#include "emit/c/header.h"
#include "ir/roles.h"

/* The warps of a role: those of its instances, then others that are beside them in their warp group. */
typedef struct swp_c_warps {
    int first;
    int end;
} swp_c_warps;

/* Where a role's warps stand, in the order of the roles; all of them, and those that are no instance's. */
swp_c_warps swp_c_role_warps(const swp_schedule *schedule, size_t role);
int swp_c_all_warps(const swp_schedule *schedule);
int swp_c_instance_warps(const swp_schedule *schedule);

/* Registers a thread that a work group of all warps is launched with, where it has the multiprocessor alone. */
int swp_c_launch_registers(const swp_schedule *schedule);

/* Calls `visit` for each entry of each list of a role; ends at the first failure. */
typedef swp_status swp_c_visit(void *user, const swp_stream *stream, const swp_entry *entry);
swp_status swp_c_visit_role(const swp_stream *stream, swp_c_visit *visit, void *user);

/* Whether an entry of the tag stands in any list. */
bool swp_c_has_tag(const swp_schedule *schedule, int tag);

/* Whether an `arrive` goes there. */
bool swp_c_arrives(const swp_schedule *schedule, swp_arrival_target to);

/*
 * Whether ordinary instructions read what a multicast brings: then arrivals at other work groups release what they have
 * read, so that these acquire it (docs/c-header.md, "Clusters").
 */
bool swp_c_releases_reads(const swp_schedule *schedule);
/* Whether a wait for the object acquires what other work groups release. */
bool swp_c_acquires_reads(const swp_schedule *schedule, int object);

/* The number that a named barrier's slot 0 has behind X_FIRST_BARRIER, or an mbarrier's among all. */
int swp_c_first_slot(const swp_schedule *schedule, size_t object);
int swp_c_object_slots(const swp_schedule *schedule, swp_role_object_kind kind);

/* Bytes that arrivals of a pass expect of an mbarrier's phase, whose turn is `turn` modulo the iterations of a pass. */
int64_t swp_c_phase_bytes(const swp_schedule *schedule, int object, int turn);
/* The most that they, or those of one of the other lists, expect of a phase. */
int64_t swp_c_most_phase_bytes(const swp_schedule *schedule, int object);

/* Whether each iteration of a role's passes does the same, so that a pass of the header is one; how many it is. */
bool swp_c_role_rolls(const swp_schedule *schedule, size_t role);
int swp_c_role_pass(const swp_schedule *schedule, size_t role);

/* Refuses what neither macros nor the instructions of warp roles can say. */
swp_status swp_c_check_roles(const swp_c_header *header);

/* The parts of the header. */
void swp_c_put_role_contract(swp_c_header *header);
void swp_c_put_role_figures(swp_c_header *header);
void swp_c_put_primitives(swp_c_header *header);
swp_status swp_c_put_role_lists(swp_c_header *header);
swp_status swp_c_put_role_runs(swp_c_header *header);

#endif
