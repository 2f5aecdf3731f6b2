/* SPDX-License-Identifier: Apache-2.0 */
/* Defines tables of the members of an object, for writing and for reading. */
#ifndef SWP_JSON_MEMBERS_H
#define SWP_JSON_MEMBERS_H

#include "base/names.h"

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

#endif
