/* SPDX-License-Identifier: Apache-2.0 */
/* Which members the JSON of a schedule has: one table an object, for writing and for reading. */
#ifndef SWP_EMIT_JSON_MEMBERS_H
#define SWP_EMIT_JSON_MEMBERS_H

#include "base/names.h"
#include "swp/compile.h"

typedef enum swp_json_kind {
    SWP_JSON_INT, /* int in a range */
    SWP_JSON_BOOL,
    SWP_JSON_TEXT,   /* const char * */
    SWP_JSON_WORD,   /* an enumeration, by name */
    SWP_JSON_FIGURE, /* int64_t; -1, "does not apply", is null */
    SWP_JSON_WAIT,   /* int; -1, "does not apply", is null */
    SWP_JSON_WORK    /* uint64_t */
} swp_json_kind;

typedef struct swp_json_member {
    const char *key;
    swp_json_kind kind;
    size_t offset;
    int least; /* of INT */
    int most;
    const swp_name_table *words; /* of WORD */
} swp_json_member;

/* The members of one object, in the order in which they are written. */
typedef struct swp_json_object {
    const swp_json_member *members;
    size_t count;
} swp_json_object;

/* An op of the body, or an entry of a phase, with its name. */
typedef struct swp_json_op {
    swp_entry entry;
    const char *name;
} swp_json_op;

extern const swp_json_object swp_json_body_op;    /* of swp_json_op */
extern const swp_json_object swp_json_entry;      /* of swp_json_op */
extern const swp_json_object swp_json_loop_entry; /* of swp_json_op, with a dataflow */
extern const swp_json_object swp_json_edge;       /* of swp_edge */
extern const swp_json_object swp_json_loop;       /* of swp_loop_shape */
extern const swp_json_object swp_json_geometry;   /* of swp_schedule */
extern const swp_json_object swp_json_metrics;    /* of swp_metrics */
extern const swp_json_object swp_json_sync;       /* of swp_sync_result */

#endif
