/* SPDX-License-Identifier: Apache-2.0 */
/* Reads single members of a certificate's lines. */
#include "certify/json_values.h"

int64_t swp_certify_json_number(swp_json_reader *reader, const json_t *object, const char *key,
                                int64_t least)
{
    const json_t *value = swp_json_require(reader, NULL, object, key);
    int64_t number = 0;
    if (value)
        (void)swp_json_read_integer(reader, SWP_MEMBER(key), value, least, INT64_MAX, &number);
    return number;
}

bool swp_certify_json_number_or_null(swp_json_reader *reader, const json_t *object, const char *key,
                                     int64_t *out)
{
    const json_t *value = swp_json_require(reader, NULL, object, key);
    return value && !json_is_null(value) &&
           swp_json_read_integer(reader, SWP_MEMBER(key), value, INT64_MIN, INT64_MAX, out);
}

int swp_certify_json_word(swp_json_reader *reader, const json_t *object, const char *key,
                          const swp_name_table *words)
{
    int word = 0;
    const json_t *value = swp_json_require(reader, NULL, object, key);
    if (value)
        (void)swp_json_read_word(reader, SWP_MEMBER(key), value, words, &word);
    return word;
}

void swp_certify_json_note(swp_json_reader *reader, swp_status status)
{
    if (swp_ends_work(status))
        reader->status = status;
}

const char *swp_certify_json_name(swp_json_reader *reader, const json_t *object, const char *key)
{
    char *name = NULL;
    const json_t *text = swp_json_require(reader, NULL, object, key);
    if (text && swp_json_expect(reader, SWP_MEMBER(key), text, JSON_STRING))
        swp_certify_json_note(reader, swp_copy_text(reader->ctx, json_string_value(text),
                                                    json_string_length(text), &name));
    return name ? name : "";
}

void swp_certify_json_version(swp_json_reader *reader, const json_t *object)
{
    int number = 0;
    const json_t *version = swp_json_require(reader, NULL, object, "swp");
    if (version)
        (void)swp_json_read_int(reader, SWP_MEMBER("swp"), version, 1, 1, &number);
}
