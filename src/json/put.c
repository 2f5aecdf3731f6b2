/* SPDX-License-Identifier: Apache-2.0 */
/* Appends values that jansson encodes to a text, and escapes what a terminal would act on. */
#include "json/put.h"

#include "base/diag.h"

#include <string.h>

/* Jansson escapes what JSON demands, but not all that a terminal acts on. */
static int append(const char *bytes, size_t length, void *user)
{
    swp_text *text = user;
    char shown[SWP_JSON_SHOWN_SIZE];
    for (size_t at = 0; at < length && text->status == SWP_OK;) {
        at += swp_escape_json(bytes + at, length - at, shown);
        swp_text_add(text, shown, strlen(shown));
    }
    return text->status == SWP_OK ? 0 : -1;
}

void swp_json_put_value(swp_text *text, json_t *value)
{
    const bool dumped = value && json_dump_callback(value, append, text, JSON_ENCODE_ANY) == 0;
    json_decref(value);
    if (!dumped && text->status == SWP_OK)
        text->status = swp_out_of_memory(text->ctx);
}

void swp_json_put(swp_text *text, const char *bytes)
{
    (void)append(bytes, strlen(bytes), text);
}

void swp_json_put_key(swp_text *text, const char *key)
{
    swp_json_put(text, text->count == 0 ? "{\n  " : ",\n  ");
    swp_json_put_value(text, json_string(key));
    swp_json_put(text, ": ");
}

void swp_json_put_element(swp_text *text, size_t index, json_t *value)
{
    swp_json_put(text, index == 0 ? "[\n    " : ",\n    ");
    swp_json_put_value(text, value);
}

void swp_json_end_array(swp_text *text, size_t count)
{
    swp_json_put(text, count == 0 ? "[]" : "\n  ]");
}

json_t *swp_json_list(size_t count, json_t *(*element)(const void *of, size_t index),
                      const void *of)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < count; i++)
        if (json_array_append_new(list, element(of, i)) != 0) {
            json_decref(list);
            list = NULL;
        }
    return list;
}
