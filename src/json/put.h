/* SPDX-License-Identifier: Apache-2.0 */
/* Writing JSON: jansson encodes every value, the layout is ours. */
#ifndef SWP_JSON_PUT_H
#define SWP_JSON_PUT_H

#include "base/text.h"

#include <jansson.h>

/* Layout: braces, commas, line ends. */
void swp_json_put(swp_text *text, const char *bytes);

/*
 * Takes the value. That it is NULL, or cannot be dumped, means that jansson found no memory; the
 * text's status then says so.
 */
void swp_json_put_value(swp_text *text, json_t *value);

/* A key of the outermost object, on a line of its own. */
void swp_json_put_key(swp_text *text, const char *key);

/* An element of an array on a line of its own; then the array's end. */
void swp_json_put_element(swp_text *text, size_t index, json_t *value);
void swp_json_end_array(swp_text *text, size_t count);

/* An array within a value. It is NULL, as are the values below, where jansson finds no memory. */
json_t *swp_json_list(size_t count, json_t *(*element)(const void *of, size_t index),
                      const void *of);

#endif
