/* SPDX-License-Identifier: Apache-2.0 */
/* Target files: a built-in target with other figures (docs/targets.md). */
#include "describe/hint.h"
#include "describe/yaml_document.h"
#include "describe/yaml_kind.h"
#include "swp/describe.h"
#include "target/figures.h"

#include "base/require.h"
#include "base/text.h"

#include <string.h>

enum { FORMAT_VERSION = 1 };

/* A target on its way; `like` is NULL where the file names none that there is. */
typedef struct yaml_target {
    const swp_target *like;
    swp_target target;
} yaml_target;

/* A figure, with the target that it is of. */
typedef struct yaml_figure {
    yaml_target *of;
    swp_target_figure figure;
} yaml_figure;

static swp_status read_version(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {FORMAT_VERSION, FORMAT_VERSION, SWP_E0105};
    int version = FORMAT_VERSION;
    (void)into;
    return swp_describe_yaml_int(reader, item->value, item->name, range, &version);
}

static swp_status read_like(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    yaml_target *to = into;
    const char *name = NULL;
    char *hint = NULL;
    SWP_TRY(swp_describe_yaml_text(reader, item->value, item->name, &name));
    if (!name)
        return SWP_OK;
    to->like = swp_target_find(name);
    if (to->like) {
        to->target = *to->like;
        return SWP_OK;
    }
    SWP_TRY(swp_describe_hint_of_targets(reader->ctx, name, false, &hint));
    return swp_describe_yaml_report(reader, SWP_E0106, swp_describe_yaml_place(reader, item->value),
                                    hint, "there is no target `%s`", name);
}

/* One line of text that outlives the document. */
static swp_status read_words(swp_yaml_reader *reader, const swp_yaml_item *item, const char **out)
{
    const char *words = NULL;
    SWP_TRY(swp_describe_yaml_text(reader, item->value, item->name, &words));
    if (!words)
        return SWP_OK;
    if (!swp_is_name(words))
        return swp_describe_yaml_report(reader, SWP_E0104,
                                        swp_describe_yaml_place(reader, item->value), SWP_NAME_HINT,
                                        "`%s` must be text on one line", item->name);
    return swp_copy_text(reader->ctx, words, strlen(words), (char **)out);
}

static swp_status read_meaning(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    return read_words(reader, item, &((yaml_target *)into)->target.meaning);
}

static swp_status read_value(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const yaml_figure *f = into;
    const swp_figure_row *row = swp_target_figure_row(f->figure);
    const swp_target_number *known = f->of->like ? &f->of->like->figures[f->figure] : NULL;
    swp_yaml_range range = {row->least, SWP_MOST_FIGURE, SWP_E0105};
    const size_t errors = reader->errors;
    int value = 0;
    if (known && !known->stated)
        return swp_describe_yaml_report(reader, SWP_E0108,
                                        swp_describe_yaml_place(reader, item->key), "leave it out",
                                        "`%s.%s` means nothing for a target like %s", row->section,
                                        row->key, f->of->like->name);
    if (known && swp_target_figure_is_limit(f->figure))
        range.most = (int)known->value;
    SWP_TRY(swp_describe_yaml_int(reader, item->value, row->key, range, &value));
    if (reader->errors == errors)
        f->of->target.figures[f->figure].value = value;
    return SWP_OK;
}

static swp_status read_source(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const yaml_figure *f = into;
    return read_words(reader, item, &f->of->target.figures[f->figure].source);
}

static const swp_yaml_key figure_keys[] = {{"value", read_value, true},
                                           {"source", read_source, false}};

/* A number, or a number with its source. The source of another number is not this one's. */
static swp_status read_figure(swp_yaml_reader *reader, const swp_yaml_item *item, yaml_figure *f)
{
    swp_yaml_item found[SWP_COUNT_OF(figure_keys)];
    f->of->target.figures[f->figure].source = NULL;
    if (item->value->type != YAML_MAPPING_NODE)
        return read_value(reader, item, f);
    SWP_TRY(swp_describe_yaml_find(reader, item->value, item->name, figure_keys,
                                   SWP_COUNT_OF(figure_keys), found));
    return swp_describe_yaml_read_found(reader, figure_keys, SWP_COUNT_OF(figure_keys), found, f);
}

static swp_status read_section(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_yaml_key known[SWP_TARGET_FIGURE_COUNT];
    swp_yaml_item found[SWP_TARGET_FIGURE_COUNT];
    yaml_figure figures[SWP_TARGET_FIGURE_COUNT];
    size_t count = 0;
    for (swp_target_figure f = 0; f < SWP_TARGET_FIGURE_COUNT; f++) {
        if (strcmp(swp_target_figure_row(f)->section, item->name) != 0)
            continue;
        known[count] = (swp_yaml_key){swp_target_figure_row(f)->key, NULL, false};
        figures[count++] = (yaml_figure){into, f};
    }
    SWP_TRY(swp_describe_yaml_find(reader, item->value, item->name, known, count, found));
    for (size_t i = 0; i < count; i++)
        if (found[i].value)
            SWP_TRY(read_figure(reader, &found[i], &figures[i]));
    return SWP_OK;
}

/* In this order, whatever the file's: figures change what the target is like. */
static const swp_yaml_key keys[] = {
    {"swp", read_version, true},       {"like", read_like, true},
    {"meaning", read_meaning, false},  {"load", read_section, false},
    {"shared", read_section, false},   {"mma", read_section, false},
    {"mma_sync", read_section, false}, {"fragment", read_section, false},
    {"copy", read_section, false},     {"vector", read_section, false},
    {"exp", read_section, false},      {"sync", read_section, false},
    {"counters", read_section, false}, {"limits", read_section, false},
};

static swp_status read_tree(swp_yaml_reader *reader, void *into)
{
    swp_yaml_item found[SWP_COUNT_OF(keys)];
    yaml_node_t *root = yaml_document_get_root_node(&reader->document);
    bool is_other = false;
    SWP_TRY(swp_describe_yaml_check_file(reader, root, SWP_YAML_TARGET, &is_other));
    if (is_other)
        return SWP_OK;
    SWP_TRY(swp_describe_yaml_find(reader, root, "a target", keys, SWP_COUNT_OF(keys), found));
    return swp_describe_yaml_read_found(reader, keys, SWP_COUNT_OF(keys), found, into);
}

swp_status swp_target_read_yaml(swp_context *ctx, const char *text, size_t length, const char *file,
                                const swp_target **out)
{
    SWP_REQUIRE(ctx, ctx && (text || length == 0) && out);
    swp_yaml_reader reader = {.ctx = ctx, .file = file};
    const swp_yaml_source source = {text ? text : "", length};
    yaml_target *to = NULL;
    *out = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &to));
    SWP_TRY(swp_describe_yaml_document(&reader, &source, ctx->diags->count, read_tree, to));
    *out = &to->target;
    return SWP_OK;
}
