/* SPDX-License-Identifier: Apache-2.0 */
/* The top-level keys of a description, and the way in. */
#include "describe/yaml_description.h"

#include "base/require.h"
#include "base/text.h"
#include "describe/hint.h"
#include "describe/yaml_document.h"
#include "describe/yaml_expand.h"
#include "describe/yaml_kind.h"
#include "describe/yaml_mask.h"

#include <string.h>

enum { FORMAT_VERSION = 1, LONGEST_NAME = 200 };

static const swp_name reorder_words[] = {SWP_REORDERS(SWP_NAME_ROW)};
static const swp_name block_words[] = {SWP_BLOCK_FORMS(SWP_NAME_ROW)};
static const swp_name_table reorder_table = SWP_NAME_TABLE(reorder_words);
static const swp_name_table block_table = SWP_NAME_TABLE(block_words);

static swp_status read_version(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    (void)into;
    const swp_yaml_range range = {FORMAT_VERSION, FORMAT_VERSION, SWP_E0105};
    int version = FORMAT_VERSION;
    return swp_describe_yaml_int(reader, item->value, item->name, range, &version);
}

static bool is_name(const char *text)
{
    return swp_is_name(text) && strlen(text) <= LONGEST_NAME;
}

static swp_status read_name(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_yaml_top *top = into;
    const char *name = NULL;
    SWP_TRY(swp_describe_yaml_text(reader, item->value, item->name, &name));
    if (!name)
        return SWP_OK;
    if (!is_name(name))
        return swp_describe_yaml_report(
            reader, SWP_E0104, swp_describe_yaml_place(reader, item->value),
            "it is what texts and headers call the schedule",
            "`name` must be 1 to %d characters on one line", LONGEST_NAME);
    return swp_copy_text(reader->ctx, name, strlen(name), (char **)&top->description->name);
}

static swp_status read_target(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_yaml_top *top = into;
    const char *name = NULL;
    SWP_TRY(swp_describe_yaml_text(reader, item->value, item->name, &name));
    if (!name)
        return SWP_OK;
    const swp_target *target = swp_target_find(name);
    if (target) {
        top->description->target = target;
        return SWP_OK;
    }
    char *hint = NULL;
    SWP_TRY(swp_describe_hint_of_targets(reader->ctx, name, true, &hint));
    return swp_describe_yaml_report(reader, SWP_E0106, swp_describe_yaml_place(reader, item->value),
                                    hint, "there is no target `%s`", name);
}

static swp_status read_kernel(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_description *description = ((swp_yaml_top *)into)->description;
    const char *name = NULL;
    SWP_TRY(swp_describe_yaml_text(reader, item->value, item->name, &name));
    if (!name)
        return SWP_OK;
    const swp_builtin *builtin = swp_builtin_find(name);
    if (builtin) {
        swp_describe_take_builtin(description, builtin);
        return SWP_OK;
    }
    char *hint = NULL;
    SWP_TRY(swp_describe_hint_of_builtins(reader->ctx, name, &hint));
    return swp_describe_yaml_report(reader, SWP_E0106, swp_describe_yaml_place(reader, item->value),
                                    hint, "there is no built-in `%s`", name);
}

/* Of a built-in loop, its settings; else one logical iteration. */
static swp_status read_loop(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    return ((swp_yaml_top *)into)->has_kernel ? swp_describe_yaml_read_section(reader, item, into)
                                              : swp_describe_yaml_read_loop(reader, item, into);
}

static swp_status read_reorder(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_own_body *body = &((swp_yaml_top *)into)->description->body;
    int number = SWP_REORDER_NONE;
    SWP_TRY(swp_describe_yaml_word(reader, item->value, item->name, &reorder_table, &number));
    body->reorder = (swp_reorder)number;
    body->reorder_place = swp_describe_yaml_place(reader, item->key);
    return SWP_OK;
}

static swp_status read_blocks(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_own_body *body = &((swp_yaml_top *)into)->description->body;
    int number = SWP_BLOCKS_TEMPLATE;
    SWP_TRY(swp_describe_yaml_word(reader, item->value, item->name, &block_table, &number));
    body->blocks = (swp_block_form)number;
    body->blocks_place = swp_describe_yaml_place(reader, item->key);
    return SWP_OK;
}

/*
 * X(key, reader, required, of a body only). They are read in this order, whatever the file's: a
 * name wins over its kernel's, sections need to know the kernel, a body its costs, edges the body.
 * Variables have been put in place before (yaml_expand.h).
 */
#define TOP_KEYS(X)                                                                                \
    X(swp, read_version, true, false)                                                              \
    X(variables, NULL, false, false)                                                               \
    X(kernel, read_kernel, false, false)                                                           \
    X(name, read_name, false, false)                                                               \
    X(loop, read_loop, false, false)                                                               \
    X(target, read_target, false, false)                                                           \
    X(costs, swp_describe_yaml_read_costs, false, true)                                            \
    X(body, swp_describe_yaml_read_body, false, false)                                             \
    X(bootstrap, swp_describe_yaml_read_bootstrap, false, true)                                    \
    X(reorder, read_reorder, false, true)                                                          \
    X(edges, swp_describe_yaml_read_edges, false, true)                                            \
    X(blocks, read_blocks, false, true)                                                            \
    X(pipeline, swp_describe_yaml_read_section, false, false)                                      \
    X(schedule, swp_describe_yaml_read_section, false, false)                                      \
    X(machine, swp_describe_yaml_read_section, false, false)                                       \
    X(geometry, swp_describe_yaml_read_section, false, false)                                      \
    X(hints, swp_describe_yaml_read_section, false, false)                                         \
    X(num_k_tiles, swp_describe_yaml_read_num_k_tiles, false, false)

#define INDEX(name, ...) KEY_##name,
enum top_key { TOP_KEYS(INDEX) KEY_COUNT };
#undef INDEX
#define ROW(name, read, required, of_body) {#name, read, required},
static const swp_yaml_key top_keys[] = {TOP_KEYS(ROW)};
#undef ROW
#define OF_BODY(name, read, required, of_body) of_body,
static const bool is_of_body[] = {TOP_KEYS(OF_BODY)};
#undef OF_BODY

/* What is scheduled: exactly one of three keys. */
static swp_status check_subject(swp_yaml_reader *reader, const yaml_node_t *root,
                                const swp_yaml_item *found)
{
    static const enum top_key subjects[] = {KEY_kernel, KEY_body, KEY_loop};
    const swp_yaml_item *first = NULL;
    for (size_t i = 0; i < SWP_COUNT_OF(subjects); i++) {
        const swp_yaml_item *item = &found[subjects[i]];
        /* Beside a kernel it holds settings. */
        if (subjects[i] == KEY_loop && found[KEY_kernel].value)
            continue;
        if (item->value && first)
            SWP_TRY(swp_describe_yaml_report(
                reader, SWP_E0108, swp_describe_yaml_place(reader, item->key),
                "a description has one of kernel, body and loop", "`%s` cannot stand beside `%s`",
                item->name, first->name));
        if (item->value && !first)
            first = item;
    }
    if (first)
        return SWP_OK;
    return swp_describe_yaml_report(
        reader, SWP_E0107, swp_describe_yaml_place(reader, root),
        "name a built-in with `kernel:`, list the ops of a `body:`, or describe one "
        "iteration of a `loop:`",
        "a description needs the key `kernel`, `body` or `loop`");
}

/* Keys that describe a body, where there is none. They are not read then. */
static swp_status check_body_keys(swp_yaml_reader *reader, swp_yaml_item *found)
{
    if (found[KEY_body].value)
        return SWP_OK;
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (!is_of_body[i] || !found[i].value)
            continue;
        SWP_TRY(swp_describe_yaml_report(
            reader, SWP_E0108, swp_describe_yaml_place(reader, found[i].key),
            "a built-in brings its own", "`%s` means nothing without `body`", found[i].name));
        found[i].value = NULL;
    }
    return SWP_OK;
}

static swp_status read_root(swp_yaml_reader *reader, yaml_node_t *root, swp_yaml_top *top)
{
    swp_yaml_item found[KEY_COUNT];
    SWP_TRY(swp_describe_yaml_find(reader, root, "a description", top_keys, KEY_COUNT, found));
    if (root->type != YAML_MAPPING_NODE)
        return SWP_OK;
    SWP_TRY(check_subject(reader, root, found));
    SWP_TRY(check_body_keys(reader, found));
    top->has_body = found[KEY_body].value != NULL;
    top->has_kernel = found[KEY_kernel].value != NULL;
    /* Without the key, every op is unknown. */
    top->costs_sound = !found[KEY_costs].value;
    return swp_describe_yaml_read_found(reader, top_keys, KEY_COUNT, found, top);
}

/* What the file says, and what has the last word over its variables and its target. */
typedef struct yaml_input {
    swp_yaml_source source;
    const swp_variable *given;
    size_t given_count;
    const swp_target *target;
    swp_yaml_top *top;
} yaml_input;

/* A text of the root; NULL: it has none under this key. */
static const char *text_of_root(swp_yaml_reader *reader, const char *key)
{
    const yaml_node_t *value =
        swp_describe_yaml_member(reader, yaml_document_get_root_node(&reader->document), key);
    const bool is_text =
        value && value->type == YAML_SCALAR_NODE && !swp_describe_yaml_is_null(value);
    return is_text ? (const char *)value->data.scalar.value : NULL;
}

/* The target of the file, before its keys are read. */
static void find_target(swp_yaml_reader *reader, const swp_yaml_top *top, swp_yaml_names *names)
{
    const char *name = text_of_root(reader, "target");
    const char *kernel = text_of_root(reader, "kernel");
    const swp_builtin *builtin = kernel ? swp_builtin_find(kernel) : NULL;
    names->target = top->description->target;
    if (name)
        names->target = swp_target_find(name);
    else if (builtin && builtin->target)
        names->target = swp_target_find(builtin->target);
    names->target_is_later = name && strstr(name, "${");
}

/* What names an op, and a value of a loop. */
static const char *const naming[] = {"op", "value", NULL};

static swp_status read_tree(swp_yaml_reader *reader, void *into)
{
    const yaml_input *input = into;
    swp_yaml_top *top = input->top;
    const size_t errors = reader->errors;
    bool is_other = false;
    swp_describe_yaml_unmask(&reader->document);
    SWP_TRY(swp_describe_yaml_check_file(reader, yaml_document_get_root_node(&reader->document),
                                         SWP_YAML_DESCRIPTION, &is_other));
    if (is_other)
        return SWP_OK;
    swp_yaml_names names = {input->given, input->given_count, input->target, false};
    if (!input->target)
        find_target(reader, top, &names);
    SWP_TRY(swp_describe_yaml_expand(reader, &names, naming, &top->description->variables));
    if (reader->errors != errors)
        return SWP_OK;
    SWP_TRY(read_root(reader, yaml_document_get_root_node(&reader->document), top));
    if (input->target)
        top->description->target = input->target;
    return SWP_OK;
}

swp_status swp_description_read_yaml_with(swp_context *ctx, const char *text, size_t length,
                                          const char *file, const swp_variable *variables,
                                          size_t variable_count, const swp_target *target,
                                          swp_description **out)
{
    SWP_REQUIRE(ctx, ctx && (text || length == 0) && (variables || variable_count == 0) && out);
    const size_t first = ctx->diags->count;
    const swp_yaml_source source = {text ? text : "", length};
    yaml_input input = {.given = variables, .given_count = variable_count, .target = target};
    swp_yaml_reader reader = {.ctx = ctx, .file = file};
    swp_yaml_top top = {0};
    *out = NULL;
    SWP_TRY(swp_describe_new(ctx, &top.description));
    SWP_TRY(swp_describe_yaml_mask(&reader, &source, &input.source));
    input.top = &top;
    SWP_TRY(swp_describe_yaml_document(&reader, &input.source, first, read_tree, &input));
    *out = top.description;
    return SWP_OK;
}

swp_status swp_description_read_yaml(swp_context *ctx, const char *text, size_t length,
                                     const char *file, swp_description **out)
{
    return swp_description_read_yaml_with(ctx, text, length, file, NULL, 0, NULL, out);
}
