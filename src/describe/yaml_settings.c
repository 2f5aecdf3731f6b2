/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of settings: `pipeline:`, `schedule:`, `machine:`, `geometry:`, `hints:`. */
#include "describe/yaml_description.h"

#include "base/text.h"
#include "describe/hint.h"

#include <string.h>

enum { LONGEST_VALUE = 80 };

static bool is_number(swp_field_kind kind)
{
    return kind == SWP_FIELD_INT || kind == SWP_FIELD_MASK || kind == SWP_FIELD_TRIPLE;
}

static swp_status report_type(swp_yaml_reader *reader, const yaml_node_t *node,
                              const swp_field *field)
{
    char domain[SWP_FIELD_TEXT_SIZE];
    swp_field_domain(field, domain);
    return swp_describe_yaml_report_type(reader, node, field->name, domain);
}

/* A value of the kinds that are numbers or truths must not be quoted, nor be an octal number. */
static swp_status check_scalar(swp_yaml_reader *reader, const yaml_node_t *node,
                               const swp_field *field)
{
    const char *text = (const char *)node->data.scalar.value;
    const bool typed = is_number(field->kind) || field->kind == SWP_FIELD_BOOL;
    if (swp_describe_yaml_is_null(node) || (typed && !swp_describe_yaml_is_plain(node)))
        return report_type(reader, node, field);
    if (node->data.scalar.length > LONGEST_VALUE || strlen(text) != node->data.scalar.length)
        return swp_describe_yaml_report(reader, SWP_E0104, swp_describe_yaml_place(reader, node),
                                        field->meaning, "`%s` cannot be a text of %zu characters",
                                        field->name, node->data.scalar.length);
    if (is_number(field->kind) && swp_describe_yaml_is_octal(text))
        return swp_describe_yaml_report(
            reader, SWP_E0104, swp_describe_yaml_place(reader, node), SWP_YAML_OCTAL_HINT,
            "`%s` must be a decimal number, not `%s`", field->name, text);
    return SWP_OK;
}

/* A list of three numbers in the form that swp_field_parse() reads. */
static swp_status join_triple(swp_yaml_reader *reader, const yaml_node_t *node,
                              const swp_field *field, const char **text)
{
    const yaml_node_item_t *items = node->data.sequence.items.start;
    const size_t errors = reader->errors;
    swp_text joined = {.ctx = reader->ctx};
    char *made = NULL;
    if (node->data.sequence.items.top - items != 3)
        return swp_describe_yaml_report(reader, SWP_E0104, swp_describe_yaml_place(reader, node),
                                        field->meaning,
                                        "`%s` is a list of %lld, but must be one of 3", field->name,
                                        (long long)(node->data.sequence.items.top - items));
    for (int i = 0; i < 3; i++) {
        const yaml_node_t *item = swp_describe_yaml_node(reader, items[i]);
        if (item->type != YAML_SCALAR_NODE)
            return swp_describe_yaml_report_type(reader, item, field->name,
                                                 "a list of three numbers");
        SWP_TRY(check_scalar(reader, item, field));
        swp_text_format(&joined, "%s%s", i ? "," : "", (const char *)item->data.scalar.value);
    }
    SWP_TRY(swp_text_end(&joined, &made, NULL));
    if (reader->errors == errors)
        *text = made;
    return SWP_OK;
}

/* The value as text, or NULL after a report. */
static swp_status text_of(swp_yaml_reader *reader, const yaml_node_t *node, const swp_field *field,
                          const char **text)
{
    const size_t errors = reader->errors;
    *text = NULL;
    if (node->type == YAML_SEQUENCE_NODE && field->kind == SWP_FIELD_TRIPLE)
        return join_triple(reader, node, field, text);
    if (node->type != YAML_SCALAR_NODE)
        return report_type(reader, node, field);
    SWP_TRY(check_scalar(reader, node, field));
    if (reader->errors == errors)
        *text = (const char *)node->data.scalar.value;
    return SWP_OK;
}

static swp_status report_unknown(swp_yaml_reader *reader, const swp_yaml_item *item,
                                 const char *section, const char *path)
{
    char *hint = "write its fields out: merge keys are not supported";
    if (strcmp(item->name, "<<") != 0)
        SWP_TRY(swp_describe_hint_of_fields(reader->ctx, path, &hint));
    return swp_describe_yaml_report(reader, SWP_E0102, swp_describe_yaml_place(reader, item->key),
                                    hint, "`%s` has no key `%s`", section, item->name);
}

static swp_status read_setting(swp_yaml_reader *reader, const swp_yaml_item *item,
                               const swp_field *field, swp_yaml_top *top)
{
    const char *text = NULL;
    SWP_TRY(text_of(reader, item->value, field, &text));
    if (!text)
        return SWP_OK;
    const swp_setting setting = {field, text, swp_describe_yaml_place(reader, item->key),
                                 swp_describe_yaml_place(reader, item->value)};
    const swp_status status = swp_describe_add(reader->ctx, top->description, setting);
    if (status != SWP_INVALID)
        return status;
    reader->errors++;
    return SWP_OK;
}

static swp_status read_pair(swp_yaml_reader *reader, const swp_yaml_item *item, const char *section,
                            swp_yaml_top *top)
{
    char *path = NULL;
    SWP_TRY(swp_format(reader->ctx, &path, "%s.%s", section, item->name));
    const swp_field *field = swp_field_find(path);
    if (!field)
        return report_unknown(reader, item, section, path);
    const swp_setting *before = swp_describe_setting(top->description, path);
    if (!before)
        return read_setting(reader, item, field, top);
    return swp_describe_yaml_report_twice(reader, item, before->key, section);
}

/* Whether the section means something here; an unknown kernel leaves that open. */
static bool takes(const swp_yaml_top *top, swp_section section)
{
    return (!top->description->builtin && !top->description->loop && !top->has_body) ||
           swp_describe_takes(top->description, section);
}

static swp_section section_of(const char *name)
{
    swp_section section = SWP_SECTION_PIPELINE;
    while (section < SWP_SECTION_COUNT && strcmp(swp_section_name(section), name) != 0)
        section++;
    return section;
}

swp_status swp_describe_yaml_read_section(swp_yaml_reader *reader, const swp_yaml_item *item,
                                          void *into)
{
    swp_yaml_top *top = into;
    const swp_section section = section_of(item->name);
    if (!takes(top, section)) {
        reader->errors++;
        const swp_status status =
            swp_describe_refuse(reader->ctx, top->description, section, item->name,
                                swp_describe_yaml_place(reader, item->key));
        return status == SWP_INVALID ? SWP_OK : status;
    }
    /* A section whose fields are all commented out. */
    if (swp_describe_yaml_is_null(item->value))
        return SWP_OK;
    if (item->value->type != YAML_MAPPING_NODE)
        return swp_describe_yaml_report_type(reader, item->value, item->name, "a mapping");
    const yaml_node_pair_t *end = item->value->data.mapping.pairs.top;
    for (const yaml_node_pair_t *pair = item->value->data.mapping.pairs.start; pair < end; pair++) {
        swp_yaml_item field = {NULL, swp_describe_yaml_node(reader, pair->key),
                               swp_describe_yaml_node(reader, pair->value)};
        SWP_TRY(swp_describe_yaml_text(reader, field.key, "a key", &field.name));
        if (field.name)
            SWP_TRY(read_pair(reader, &field, item->name, top));
    }
    return SWP_OK;
}

swp_status swp_describe_yaml_read_num_k_tiles(swp_yaml_reader *reader, const swp_yaml_item *item,
                                              void *into)
{
    swp_yaml_top *top = into;
    if (takes(top, SWP_SECTION_KERNEL))
        return read_setting(reader, item, swp_field_find(item->name), top);
    reader->errors++;
    const swp_status status =
        swp_describe_refuse(reader->ctx, top->description, SWP_SECTION_KERNEL, item->name,
                            swp_describe_yaml_place(reader, item->key));
    return status == SWP_INVALID ? SWP_OK : status;
}
