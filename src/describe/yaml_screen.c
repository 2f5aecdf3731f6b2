/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the events of libyaml: one document without tags, and only so many values, levels and anchors. */
#include "describe/yaml_screen.h"

/*
 * A body of the most ops that a description may have stays far below these. libyaml compares each
 * anchor with all others, and keeps a node for every scalar.
 */
enum { MOST_NODES = 500000, MOST_ANCHORS = 1000, MOST_DEPTH = 32 };

typedef struct counts {
    size_t documents;
    size_t nodes;
    size_t anchors;
    size_t depth;
} counts;

static swp_place place_of_mark(const swp_yaml_reader *reader, yaml_mark_t mark)
{
    return (swp_place){reader->file, (int)mark.line + 1, (int)mark.column + 1};
}

/* Where a byte stands; libyaml gives no line for text that it cannot decode. */
static swp_place place_of_byte(const swp_yaml_reader *reader, const swp_yaml_source *source,
                               size_t offset)
{
    swp_place place = {reader->file, 1, 1};
    for (size_t i = 0; i < offset && i < source->length; i++) {
        const unsigned char byte = (unsigned char)source->text[i];
        if (byte == '\n')
            place = (swp_place){reader->file, place.line + 1, 1};
        else if ((byte & 0xC0U) != 0x80U)
            place.column++;
    }
    return place;
}

/* Whether a line, which counts from 0, is indented with a tab. */
static bool begins_with_tab(const swp_yaml_source *source, size_t line)
{
    size_t at = 0;
    for (; at < source->length && line > 0; at++)
        line -= source->text[at] == '\n';
    while (at < source->length && source->text[at] == ' ')
        at++;
    return at < source->length && source->text[at] == '\t';
}

/* A `${` that ends nowhere, from one line to another, which count from 0: all others are masked. */
static bool find_unclosed(const swp_yaml_source *source, size_t from, size_t to, size_t *offset)
{
    size_t line = 0;
    for (size_t i = 0; i + 1 < source->length && line <= to; i++) {
        if (line >= from && source->text[i] == '$' && source->text[i + 1] == '{') {
            *offset = i;
            return true;
        }
        line += source->text[i] == '\n';
    }
    return false;
}

swp_status swp_describe_yaml_report_parser(swp_yaml_reader *reader, const swp_yaml_source *source,
                                           const yaml_parser_t *parser)
{
    const char *problem = parser->problem;
    /* libyaml names a problem wherever the text is at fault; without one, memory ran out. */
    if (parser->error == YAML_MEMORY_ERROR || !problem)
        return swp_out_of_memory(reader->ctx);
    reader->errors++;
    if (parser->error == YAML_READER_ERROR)
        return swp_error(reader->ctx, SWP_E0101,
                         place_of_byte(reader, source, parser->problem_offset),
                         "a description is UTF-8 text", "not well-formed YAML: %s", problem);
    char *hint = NULL;
    size_t unclosed = 0;
    const size_t from = parser->context ? parser->context_mark.line : parser->problem_mark.line;
    if (find_unclosed(source, from, parser->problem_mark.line, &unclosed))
        return swp_error(reader->ctx, SWP_E0112, place_of_byte(reader, source, unclosed),
                         SWP_YAML_UNCLOSED_HINT, "`${` lacks its `}`");
    if (begins_with_tab(source, parser->problem_mark.line))
        SWP_TRY(swp_format(reader->ctx, &hint,
                           "the line begins with a tab; YAML is indented with spaces"));
    else if (parser->context)
        SWP_TRY(swp_format(reader->ctx, &hint, "%s, line %d", parser->context,
                           place_of_mark(reader, parser->context_mark).line));
    return swp_error(reader->ctx, SWP_E0101, place_of_mark(reader, parser->problem_mark), hint,
                     "not well-formed YAML: %s", problem);
}

static const yaml_char_t *tag_of(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return event->data.scalar.tag;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.tag;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.tag;
    default:
        return NULL;
    }
}

static bool has_anchor(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return event->data.scalar.anchor != NULL;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor != NULL;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.anchor != NULL;
    default:
        return false;
    }
}

static void count(const yaml_event_t *event, counts *seen)
{
    seen->anchors += has_anchor(event);
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        seen->documents++;
        break;
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        seen->nodes++;
        seen->depth++;
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        seen->depth--;
        break;
    case YAML_SCALAR_EVENT:
    case YAML_ALIAS_EVENT:
        seen->nodes++;
        break;
    default:
        break;
    }
}

static swp_status refuse(swp_yaml_reader *reader, swp_place place, const char *what)
{
    reader->errors++;
    return swp_error(reader->ctx, SWP_E0101, place, "a description has no use for that",
                     "the input has %s", what);
}

static swp_status check_event(swp_yaml_reader *reader, const yaml_event_t *event, counts *seen)
{
    const swp_place place = place_of_mark(reader, event->start_mark);
    count(event, seen);
    if (seen->documents > 1)
        return refuse(reader, place, "a second document");
    if (seen->depth > MOST_DEPTH)
        return refuse(reader, place, "lists and mappings more than 32 deep");
    if (seen->nodes > MOST_NODES)
        return refuse(reader, place, "more than 500000 values");
    if (seen->anchors > MOST_ANCHORS)
        return refuse(reader, place, "more than 1000 anchors");
    const yaml_char_t *tag = tag_of(event);
    if (tag)
        return swp_describe_yaml_report(reader, SWP_E0104, place, "leave the tag out",
                                        "a description has no tags such as `%s`",
                                        (const char *)tag);
    return SWP_OK;
}

static swp_status check_stream(swp_yaml_reader *reader, const swp_yaml_source *source,
                               yaml_parser_t *parser)
{
    counts seen = {0};
    for (bool done = false; !done;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event))
            return swp_describe_yaml_report_parser(reader, source, parser);
        const swp_status status = check_event(reader, &event, &seen);
        done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        SWP_TRY(status);
    }
    if (seen.documents)
        return SWP_OK;
    reader->errors++;
    return swp_error(reader->ctx, SWP_E0107, (swp_place){reader->file, 1, 1},
                     "a description begins with `swp: 1`, then `kernel:`, `body:` or `loop:`",
                     "the input is empty");
}

swp_status swp_describe_yaml_screen(swp_yaml_reader *reader, const swp_yaml_source *source)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return swp_out_of_memory(reader->ctx);
    yaml_parser_set_input_string(&parser, (const unsigned char *)source->text, source->length);
    const swp_status status = check_stream(reader, source, &parser);
    yaml_parser_delete(&parser);
    return status;
}
