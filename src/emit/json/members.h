/* SPDX-License-Identifier: Apache-2.0 */
/* Which members the JSON of a schedule has: one table an object. */
#ifndef SWP_EMIT_JSON_MEMBERS_H
#define SWP_EMIT_JSON_MEMBERS_H

#include "swp/compile.h"
#include "json/members.h"

/* An op of the body, or an entry of a phase, with its name. */
typedef struct swp_json_op {
    swp_entry entry;
    const char *name;
    const char *object; /* of an entry of a warp role; "": none */
} swp_json_op;

extern const swp_json_object swp_json_body_op;            /* of swp_json_op */
extern const swp_json_object swp_json_entry;              /* of swp_json_op */
extern const swp_json_object swp_json_loop_entry;         /* of swp_json_op, with a dataflow */
extern const swp_json_object swp_json_labelled_entry;     /* of swp_json_op, of a GEMM with one */
extern const swp_json_object swp_json_role_entry;         /* of swp_json_op, of a warp role */
extern const swp_json_object swp_json_cluster_role_entry; /* the same, in a cluster */
extern const swp_json_object swp_json_role_object;        /* of swp_role_object */
extern const swp_json_object swp_json_tile_role_object;   /* the same, with output tiles */
extern const swp_json_object swp_json_role;               /* of swp_stream: what its warps are */
extern const swp_json_object swp_json_role_counts;        /* of swp_role_counts */
extern const swp_json_object swp_json_edge;               /* of swp_edge */
extern const swp_json_object swp_json_loop;               /* of swp_loop_shape */
extern const swp_json_object swp_json_geometry;           /* of swp_schedule */
extern const swp_json_object swp_json_metrics;            /* of swp_metrics */
extern const swp_json_object swp_json_sync;               /* of swp_sync_result */
extern const swp_json_object swp_json_counted;            /* of swp_counted_cycles */

#endif
