/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON: jansson encodes every value, the layout is ours. */
#ifndef SWP_JSON_PUT_H
#define SWP_JSON_PUT_H

#include "base/text.h"

#include <jansson.h>

/* Adds layout: braces, commas, line ends. */
void swp_json_put(swp_text *text, const char *bytes);

/*
 * Adds the value, and takes it over. If it is NULL, or cannot be dumped, jansson found no memory;
 * the text's status then says so.
 */
void swp_json_put_value(swp_text *text, json_t *value);

/* Begins a key of the outermost object, on a line of its own. */
void swp_json_put_key(swp_text *text, const char *key);

/* Add an element of an array on a line of its own, and the array's end. */
void swp_json_put_element(swp_text *text, size_t index, json_t *value);
void swp_json_end_array(swp_text *text, size_t count);

/* Makes an array within a value. Like the values below, it is NULL if jansson finds no memory. */
json_t *swp_json_list(size_t count, json_t *(*element)(const void *of, size_t index),
                      const void *of);

#endif
