/* SPDX-License-Identifier: Apache-2.0 */
/* What the macros of the generated header are called. */
#include "emit/c_header.h"

#include "base/diag.h"
#include "emit/title.h"

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

/* In capitals, with an underscore for what no identifier has. */
static void capitalise(char *name)
{
    for (; *name; name++) {
        *name = in_case(*name, smalls, capitals);
        if (!strchr(capitals, *name) && !strchr(others, *name))
            *name = '_';
    }
}

static bool is_letter(char c)
{
    return c && (strchr(capitals, c) || strchr(smalls, c));
}

static bool is_prefix(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!is_letter(*c) && !strchr(others, *c))
            return false;
    return is_letter(*name) && strcmp(name, "SWP") != 0;
}

static swp_status name_prefix(swp_c_header *header)
{
    const char *asked = header->options->prefix;
    const char *from = asked ? asked : swp_schedule_title(header->schedule);
    char *name = NULL;
    char *local = NULL;
    SWP_TRY(swp_copy_text(header->ctx, from, strlen(from), &name));
    if (!asked)
        capitalise(name);
    if (!is_prefix(name))
        return swp_error(
            header->ctx, SWP_E0801, SWP_NOWHERE,
            "choose one with --prefix: letters, digits and underscores, a letter first, "
            "and not SWP, which every header uses",
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
    if (tag >= SWP_KERNEL_TAGS || header->op_macros[tag])
        return SWP_OK;
    const char *op = swp_schedule_op_name(header->schedule, tag);
    SWP_TRY(swp_copy_text(header->ctx, op, strlen(op), &name));
    capitalise(name);
    header->op_macros[tag] = name;
    return SWP_OK;
}

/* Two ops of one macro. */
static swp_status check_op(const swp_c_header *header, int tag)
{
    for (int other = 0; other < tag; other++)
        if (header->op_macros[other] &&
            strcmp(header->op_macros[other], header->op_macros[tag]) == 0)
            return swp_c_refuse_op(header, tag, swp_schedule_op_name(header->schedule, other));
    return SWP_OK;
}

swp_status swp_c_name(swp_c_header *header)
{
    SWP_TRY(name_prefix(header));
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_schedule_phase(header->schedule, phase);
        for (size_t i = 0; i < entries->count; i++)
            SWP_TRY(name_op(header, entries->items[i].op.tag));
    }
    for (int tag = 0; tag < SWP_KERNEL_TAGS; tag++)
        if (header->op_macros[tag])
            SWP_TRY(check_op(header, tag));
    return SWP_OK;
}
