/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule as a header of macros (docs/c-header.md). */
#include "base/diag.h"
#include "emit/c/roles.h"

#include <stddef.h>
#include <string.h>

static void set_width(swp_c_header *header)
{
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++) {
        const char *name = header->op_macros[tag];
        const int width = name ? (int)strlen(name) : 0;
        header->op_width = width > header->op_width ? width : header->op_width;
    }
}

static swp_status put_stream(swp_c_header *header)
{
    swp_c_put_figures(header);
    swp_c_put_defaults(header);
    SWP_TRY(swp_c_put_missing_ops(header));
    SWP_TRY(swp_c_put_phases(header));
    swp_c_put_run(header);
    return header->text.status;
}

static swp_status put_roles(swp_c_header *header)
{
    swp_c_put_role_figures(header);
    swp_c_put_primitives(header);
    SWP_TRY(swp_c_put_missing_ops(header));
    SWP_TRY(swp_c_put_role_lists(header));
    return swp_c_put_role_runs(header);
}

static swp_status put_header(swp_c_header *header, const swp_verdict *verdict)
{
    swp_c_put_contract(header, verdict);
    swp_text_format(&header->text, "#ifndef %s_SCHEDULE_H\n#define %s_SCHEDULE_H\n", header->prefix,
                    header->prefix);
    SWP_TRY(header->form->put(header));
    swp_text_format(&header->text, "\n#endif\n");
    return header->text.status;
}

/* An op's macro is the kernel's to define. */
static swp_status check_own_macros(const swp_c_header *header, const char *text)
{
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++) {
        char *definition = NULL;
        if (!header->op_macros[tag])
            continue;
        SWP_TRY(swp_format(header->ctx, &definition, "\n#define %s_%s", header->prefix,
                           header->op_macros[tag]));
        const size_t length = strlen(definition);
        for (const char *at = strstr(text, definition); at; at = strstr(at + 1, definition))
            if (strchr(" (\n", at[length]))
                return swp_c_refuse_op(header, tag, "the header itself");
    }
    return SWP_OK;
}

static const char line_of_macro[] = "\n#define ";
static const char ends_of_name[] = " (\n";

/* The next definition of a macro; those behind an #else are the same one's. */
static const char *next_definition(const char *text)
{
    static const char other[] = "\n#else";
    const size_t length = strlen(other);
    const char *at = strstr(text, line_of_macro);
    while (at && at - text >= (ptrdiff_t)length && !strncmp(at - length, other, length))
        at = strstr(at + 1, line_of_macro);
    return at;
}

static bool is_own(const swp_c_header *header, const char *name)
{
    const size_t length = strlen(header->prefix);
    return !strncmp(name, header->prefix, length) && name[length] == '_';
}

/* Names of roles, objects and values stand at the end of macros, and may look like another one's. */
static swp_status check_defined_once(const swp_c_header *header, const char *text)
{
    for (const char *at = next_definition(text); at; at = next_definition(at + 1)) {
        const char *name = at + strlen(line_of_macro);
        const size_t length = strcspn(name, ends_of_name);
        for (const char *other = next_definition(at + 1); other && is_own(header, name);
             other = next_definition(other + 1)) {
            const char *other_name = other + strlen(line_of_macro);
            if (!strncmp(other_name, name, length) && strchr(ends_of_name, other_name[length]))
                return swp_error(header->ctx, SWP_E0801, SWP_NOWHERE,
                                 "give the role, object or value another name",
                                 "two things would be the macro %.*s", (int)length, name);
        }
    }
    return SWP_OK;
}

static swp_status check_roles(swp_c_header *header)
{
    SWP_TRY(swp_c_check_roles(header));
    return swp_c_name(header);
}

static swp_status check_groups(swp_c_header *header)
{
    SWP_TRY(swp_c_check(header));
    SWP_TRY(swp_c_name(header));
    SWP_TRY(swp_c_find_tiles(header));
    if (header->machine->macros && !swp_c_waits_serve(header))
        header->machine = swp_c_machine_by_hand(header->machine);
    return SWP_OK;
}

swp_status swp_c_check_header(swp_c_header *header)
{
    static const swp_c_form of_groups = {.check = check_groups,
                                         .put_contract = swp_c_put_group_contract,
                                         .put = put_stream,
                                         .may_trap = true};
    static const swp_c_form of_roles = {.check = check_roles,
                                        .put_contract = swp_c_put_role_contract,
                                        .put = put_roles,
                                        .names_roles = true};
    header->form = swp_ir_has_roles(header->schedule) ? &of_roles : &of_groups;
    return header->form->check(header);
}

swp_status swp_c_write_header(swp_c_header *header, const swp_verdict *verdict, char **text,
                              size_t *length)
{
    set_width(header);
    SWP_TRY(put_header(header, verdict));
    SWP_TRY(swp_text_end(&header->text, text, length));
    if (header->form->names_roles)
        SWP_TRY(check_defined_once(header, *text));
    return check_own_macros(header, *text);
}
