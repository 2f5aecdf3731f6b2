/* SPDX-License-Identifier: Apache-2.0 */
/* Refusing YAML that no description is, before a tree is made of it. */
#ifndef SWP_DESCRIBE_YAML_SCREEN_H
#define SWP_DESCRIBE_YAML_SCREEN_H

#include "describe/yaml_read.h"

typedef struct swp_yaml_source {
    const char *text;
    size_t length;
} swp_yaml_source;

/*
 * Reads the events of a stream. Reports text that is not well-formed, an empty stream, more than
 * one document, tags, and sizes and depths that only an attack has.
 */
swp_status swp_describe_yaml_screen(swp_yaml_reader *reader, const swp_yaml_source *source);

/* Reports why libyaml gave up; the status ends the reading. */
swp_status swp_describe_yaml_report_parser(swp_yaml_reader *reader, const swp_yaml_source *source,
                                           const yaml_parser_t *parser);

#endif
