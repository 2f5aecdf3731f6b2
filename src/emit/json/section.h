/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a section, from JSON, by the table of fields. */
#ifndef SWP_EMIT_JSON_SECTION_H
#define SWP_EMIT_JSON_SECTION_H

#include "swp/fields.h"
#include "json/decode.h"

/* The fields of a section into settings. A field that is left out keeps its value unless `all`. */
void swp_json_read_section(swp_json_reader *reader, const swp_json_path *path, json_t *value,
                           swp_section section, bool all, swp_settings *settings);

/* Whether files of 0.1 do not have it: it is left out where it has its default. */
bool swp_json_is_later_field(const swp_field *field);

#endif
