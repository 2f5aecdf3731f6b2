/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a document, hands its tree to its reader, and puts the errors in the order of the file. */
#include "describe/yaml_document.h"

static swp_status parse(swp_yaml_reader *reader, const swp_yaml_source *source,
                        swp_yaml_read_tree *read, void *into)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return swp_out_of_memory(reader->ctx);
    yaml_parser_set_input_string(&parser, (const unsigned char *)source->text, source->length);
    swp_status status = SWP_OK;
    if (yaml_parser_load(&parser, &reader->document)) {
        status = read(reader, into);
        yaml_document_delete(&reader->document);
    } else {
        status = swp_describe_yaml_report_parser(reader, source, &parser);
    }
    yaml_parser_delete(&parser);
    return status;
}

static bool stands_before(const swp_diag *a, const swp_diag *b)
{
    if (a->place.line != b->place.line)
        return a->place.line < b->place.line;
    return a->place.column < b->place.column;
}

/* Keys are read in the table's order; a reader goes through the file. */
static void sort_by_place(swp_diag *diags, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const swp_diag moving = diags[i];
        size_t to = i;
        for (; to > 0 && stands_before(&moving, &diags[to - 1]); to--)
            diags[to] = diags[to - 1];
        diags[to] = moving;
    }
}

swp_status swp_describe_yaml_document(swp_yaml_reader *reader, const swp_yaml_source *source,
                                      size_t first, swp_yaml_read_tree *read, void *into)
{
    swp_context *ctx = reader->ctx;
    SWP_TRY(swp_describe_yaml_screen(reader, source));
    const swp_status status = parse(reader, source, read, into);
    if (!swp_ends_work(status))
        SWP_TRY(swp_describe_yaml_tell_repeats(reader));
    SWP_TRY(status);
    if (!reader->errors)
        return SWP_OK;
    sort_by_place(ctx->diags->items + first, ctx->diags->count - first);
    return SWP_INVALID;
}
