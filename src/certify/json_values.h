/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads members of the lines of certificates. If one is missing or wrong, the reader complains and
 * the result is 0.
 */
#ifndef SWP_CERTIFY_JSON_VALUES_H
#define SWP_CERTIFY_JSON_VALUES_H

#include "json/decode.h"

#define SWP_MEMBER(member_key) (&(swp_json_path){.key = (member_key)})

/* Reads a number of at least `least`. */
int64_t swp_certify_json_number(swp_json_reader *reader, const json_t *object, const char *key,
                                int64_t least);

/* Reads a number; returns false if it is null. */
bool swp_certify_json_number_or_null(swp_json_reader *reader, const json_t *object, const char *key,
                                     int64_t *out);

/* Reads a word of a table. */
int swp_certify_json_word(swp_json_reader *reader, const json_t *object, const char *key,
                          const swp_name_table *words);

/* Reads a text, which is never NULL. */
const char *swp_certify_json_name(swp_json_reader *reader, const json_t *object, const char *key);

/* Checks the version of the format. */
void swp_certify_json_version(swp_json_reader *reader, const json_t *object);

/* Records the status if memory ran out. */
void swp_certify_json_note(swp_json_reader *reader, swp_status status);

#endif
