/* SPDX-License-Identifier: Apache-2.0 */
/* Reading what holds ops: the body and the phases. */
#ifndef SWP_EMIT_JSON_PHASES_H
#define SWP_EMIT_JSON_PHASES_H

#include "emit/json/members.h"
#include "json/decode.h"

typedef struct swp_schedule_reader {
    swp_json_reader json;
    swp_schedule *schedule;
    bool named[SWP_SCHEDULE_TAGS]; /* tags whose names and kinds the file has told */
    swp_role roles[SWP_SCHEDULE_TAGS];
    bool knows_loop;   /* `loop` is read, without an error */
    bool has_dataflow; /* the file has one, with errors or without */
    bool has_tails;    /* the file has lists for any number of tiles */
    bool has_roles;    /* the file has `sync_objects`, with errors or without */
} swp_schedule_reader;

/* The path of a member of the whole file. */
#define SWP_JSON_IN_FILE(name) (&(swp_json_path){.key = (name)})

/* Keeps a failure to take memory; everything else is reported by complaints. */
void swp_json_keep(swp_schedule_reader *reader, swp_status status);

/* The array under a key; NULL, with a complaint, if it is none or is required and missing. */
json_t *swp_json_array(swp_schedule_reader *reader, const swp_json_path *up, json_t *object,
                       const char *key, bool required);

/* The body, which may be missing. */
void swp_json_read_body(swp_schedule_reader *reader, json_t *root);

/* The entries of a list, into `entries`. */
void swp_json_read_entries(swp_schedule_reader *reader, const swp_json_path *list, json_t *array,
                           swp_phase phase, swp_entry_list *entries);

/* Whether the file has lists for any number of tiles. */
bool swp_json_has_tails(const json_t *root);

/* The phases and the lists for any number of tiles: at the top, or those of each role. */
void swp_json_read_streams(swp_schedule_reader *reader, json_t *root);

#endif
