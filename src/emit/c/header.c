/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule as a header of macros (docs/c-header.md). */
#include "emit/c/header.h"

#include <string.h>

static void set_width(swp_c_header *header)
{
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++) {
        const char *name = header->op_macros[tag];
        const int width = name ? (int)strlen(name) : 0;
        header->op_width = width > header->op_width ? width : header->op_width;
    }
}

static swp_status put_header(swp_c_header *header, const swp_verdict *verdict)
{
    swp_c_put_contract(header, verdict);
    swp_text_format(&header->text, "#ifndef %s_SCHEDULE_H\n#define %s_SCHEDULE_H\n", header->prefix,
                    header->prefix);
    swp_c_put_figures(header);
    swp_c_put_defaults(header);
    SWP_TRY(swp_c_put_phases(header));
    swp_c_put_run(header);
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

swp_status swp_c_check_header(swp_c_header *header)
{
    SWP_TRY(swp_c_check(header));
    SWP_TRY(swp_c_name(header));
    SWP_TRY(swp_c_find_tiles(header));
    if (header->machine->macros && !swp_c_waits_serve(header))
        header->machine = swp_c_machine_by_hand(header->machine);
    return SWP_OK;
}

swp_status swp_c_write_header(swp_c_header *header, const swp_verdict *verdict, char **text,
                              size_t *length)
{
    set_width(header);
    SWP_TRY(put_header(header, verdict));
    SWP_TRY(swp_text_end(&header->text, text, length));
    return check_own_macros(header, *text);
}
