/* SPDX-License-Identifier: Apache-2.0 */
/* What the macros of the generated header are called. */
#include "emit/c_header.h"

#include "base/diag.h"

#include <string.h>

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"

static char upper(char c)
{
    const char *at = c ? strchr(LETTERS, c) : NULL;
    return at && at - LETTERS >= 26 ? LETTERS[at - LETTERS - 26] : c;
}

static char lower(char c)
{
    const char *at = c ? strchr(LETTERS, c) : NULL;
    return at && at - LETTERS < 26 ? LETTERS[at - LETTERS + 26] : c;
}

/* In capitals, with an underscore for what no identifier has. */
static void capitalise(char *name)
{
    for (; *name; name++)
        *name = strchr(LETTERS DIGITS "_", *name) ? upper(*name) : '_';
}

static bool is_prefix(const char *name)
{
    return *name && strchr(LETTERS, *name) && !name[strspn(name, LETTERS DIGITS "_")] &&
           strcmp(name, "SWP") != 0;
}

static swp_status name_prefix(swp_c_header *header)
{
    const char *asked = header->options->prefix;
    const char *from = asked                     ? asked
                       : *header->schedule->name ? header->schedule->name
                                                 : "schedule";
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
        *c = lower(*c);
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
