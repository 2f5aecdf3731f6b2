/* SPDX-License-Identifier: Apache-2.0 */
/* The generated header of a schedule with warp roles (docs/c-header.md, "Warp roles"). */
#ifndef SWP_EMIT_C_ROLES_H
#define SWP_EMIT_C_ROLES_H

#include "emit/c/header.h"
#include "ir/roles.h"

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
