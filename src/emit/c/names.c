/* SPDX-License-Identifier: Apache-2.0 */
/* What the macros of the generated header are called. */
#include "emit/c/header.h"

#include "base/diag.h"
#include "ir/roles.h"
#include "ir/schedule.h"
#include "swp/loop.h"

#include <string.h>

/* toupper() and its like would follow the locale. */
static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char smalls[] = "abcdefghijklmnopqrstuvwxyz";
static const char others[] = "0123456789_";

/* The letter of `to` where that of `from` stands. */
static char in_case(char c, const char *from, const char *to)
{
    const char *at = strchr(from, c);
    if (!at)
        return c;
    return to[at - from];
}

static bool is_letter(char c)
{
    return c && (strchr(capitals, c) || strchr(smalls, c));
}

/* With an underscore for what no identifier has. */
static void identify(char *name)
{
    for (; *name; name++)
        if (!is_letter(*name) && !strchr(others, *name))
            *name = '_';
}

static void capitalise(char *name)
{
    for (; *name; name++)
        *name = in_case(*name, smalls, capitals);
}

static bool is_prefix(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!is_letter(*c) && !strchr(others, *c))
            return false;
    return is_letter(*name) && strcmp(name, "SWP") != 0 && strncmp(name, "SWP_", 4) != 0;
}

static swp_status name_prefix(swp_c_header *header)
{
    const char *asked = header->options->prefix;
    const char *from = asked ? asked : swp_schedule_title(header->schedule);
    char *name = NULL;
    char *local = NULL;
    SWP_TRY(swp_copy_text(header->ctx, from, strlen(from), &name));
    if (!asked) {
        identify(name);
        capitalise(name);
    }
    if (!is_prefix(name))
        return swp_error(
            header->ctx, SWP_E0801, SWP_NOWHERE,
            "choose one with --prefix: letters, digits and underscores, a letter first, "
            "and not SWP or SWP_..., which every header uses",
            "`%s` cannot be the prefix of macros", from);
    SWP_TRY(swp_copy_text(header->ctx, name, strlen(name), &local));
    for (char *c = local; *c; c++)
        *c = in_case(*c, capitals, smalls);
    header->prefix = name;
    header->local = local;
    return SWP_OK;
}

swp_status swp_c_refuse_op(const swp_c_header *header, int tag, const char *owner)
{
    return swp_error(header->ctx, SWP_E0801, SWP_NOWHERE, "give the op another name",
                     "op `%s` would be the macro %s_%s, which is that of %s",
                     swp_schedule_op_name(header->schedule, tag), header->prefix,
                     header->op_macros[tag], owner);
}

static swp_status name_op(swp_c_header *header, int tag)
{
    char *name = NULL;
    if (swp_infrastructure_name(tag) || header->op_macros[tag])
        return SWP_OK;
    const char *op = swp_schedule_op_name(header->schedule, tag);
    SWP_TRY(swp_copy_text(header->ctx, op, strlen(op), &name));
    identify(name);
    capitalise(name);
    header->op_macros[tag] = name;
    return SWP_OK;
}

static swp_status refuse_two(const swp_c_header *header, const char *what, const char *name,
                             const char *other, const char *figure, const char *macro)
{
    return swp_error(header->ctx, SWP_E0801, SWP_NOWHERE,
                     "give one of them another name: what no identifier has becomes `_`",
                     "%s `%s` would be the macro %s_%s%s, which is that of `%s`", what, name,
                     header->prefix, figure, macro, other);
}

bool swp_c_has_own_condition(const swp_c_header *header, int tag)
{
    const swp_loop_dataflow *dataflow = header->schedule->dataflow;
    const size_t op = (size_t)swp_loop_op_of_tag(tag);
    return dataflow && op < dataflow->loop->op_count &&
           dataflow->loop->ops[op].when.kind == SWP_WHEN_USER;
}

/* An op with the macro of another one's condition. */
static swp_status check_condition(const swp_c_header *header, int tag)
{
    static const char when[] = "WHEN_";
    const size_t length = strlen(when);
    const char *name = header->op_macros[tag];
    for (int other = 0; other < SWP_SCHEDULE_TAGS; other++)
        if (header->op_macros[other] && swp_c_has_own_condition(header, other) &&
            !strncmp(name, when, length) && !strcmp(name + length, header->op_macros[other]))
            return swp_c_refuse_op(header, tag, "another op's condition");
    return SWP_OK;
}

/* Two ops of one macro. */
static swp_status check_op(const swp_c_header *header, int tag)
{
    SWP_TRY(check_condition(header, tag));
    for (int other = 0; other < tag; other++)
        if (header->op_macros[other] &&
            strcmp(header->op_macros[other], header->op_macros[tag]) == 0)
            return refuse_two(header, "op", swp_schedule_op_name(header->schedule, tag),
                              swp_schedule_op_name(header->schedule, other), "",
                              header->op_macros[tag]);
    return SWP_OK;
}

/* Macros of figures keep the case of their value. */
static swp_status name_values(swp_c_header *header, const swp_loop *loop)
{
    SWP_TRY(SWP_TAKE(header->ctx, loop->value_count, &header->value_macros));
    for (size_t v = 0; v < loop->value_count; v++) {
        const char *value = loop->values[v].name;
        char *name = NULL;
        SWP_TRY(swp_copy_text(header->ctx, value, strlen(value), &name));
        identify(name);
        header->value_macros[v] = name;
        for (size_t other = 0; other < v; other++)
            if (strcmp(header->value_macros[other], name) == 0)
                return refuse_two(header, "value", value, loop->values[other].name, "SLOTS_", name);
    }
    return SWP_OK;
}

static swp_status name_in_capitals(const swp_c_header *header, const char *what, const char *from,
                                   const char *figure, const char **macros, size_t index)
{
    char *name = NULL;
    SWP_TRY(swp_copy_text(header->ctx, from, strlen(from), &name));
    identify(name);
    capitalise(name);
    for (size_t other = 0; other < index; other++)
        if (strcmp(macros[other], name) == 0)
            return refuse_two(header, what, from, "another one", figure, name);
    macros[index] = name;
    return SWP_OK;
}

static swp_status name_roles(swp_c_header *header)
{
    const swp_schedule *s = header->schedule;
    for (size_t i = 0; i < s->stream_count; i++)
        SWP_TRY(
            name_in_capitals(header, "role", s->streams[i].name, "RUN_", header->role_macros, i));
    for (size_t i = 0; i < s->object_count; i++)
        SWP_TRY(name_in_capitals(header, "object", s->objects[i].name, "OBJECT_",
                                 header->object_macros, i));
    for (size_t i = 0; i < s->dataflow->loop->op_count; i++)
        SWP_TRY(name_op(header, swp_tag_of_loop_op((int)i)));
    return SWP_OK;
}

swp_status swp_c_name(swp_c_header *header)
{
    SWP_TRY(name_prefix(header));
    if (swp_ir_role_name(header->schedule, 0))
        SWP_TRY(name_roles(header));
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_schedule_phase(header->schedule, phase);
        for (size_t i = 0; i < entries->count; i++)
            SWP_TRY(name_op(header, entries->items[i].op.tag));
    }
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++)
        if (header->op_macros[tag])
            SWP_TRY(check_op(header, tag));
    const swp_loop_dataflow *dataflow = header->schedule->dataflow;
    return dataflow ? name_values(header, dataflow->loop) : SWP_OK;
}
