/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Macros that the kernel has to define: where some are missing, the preprocessor says so once. It then gives each a definition, so
 * that the compiler does not say it again of every call, with all the macros that the call stands in.
 */
#include "emit/c/roles.h"

/* `# define`: it is no definition of the header's own. */
static void put_definition(swp_c_header *header, const swp_c_macro *macro)
{
    swp_text_format(&header->text, "#ifndef %s\n# define %s(...) %s\n#endif\n", macro->name,
                    macro->name, macro->nothing);
}

/* Whether one of them is defined, or is not. */
static void put_condition(swp_c_header *header, const char *of_each, const swp_c_macro *macros,
                          size_t count)
{
    swp_text_format(&header->text, "#if ");
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            swp_text_format(&header->text, " || \\\n    ");
        swp_text_format(&header->text, "%s(%s)", of_each, macros[i].name);
    }
    swp_text_format(&header->text, "\n");
}

void swp_c_put_missing(swp_c_header *header, const swp_c_macro *macros, size_t count,
                       const char *where, const char *for_gpus)
{
    if (count == 0)
        return;
    put_condition(header, "!defined", macros, count);
    if (for_gpus)
        swp_text_format(&header->text, "#ifdef __CUDA_ARCH__\n#error \"%s\"\n#else\n", for_gpus);
    swp_text_format(&header->text, "#error \"define ");
    for (size_t i = 0; i < count; i++)
        swp_text_format(&header->text, "%s%s",
                        i == 0          ? ""
                        : i + 1 < count ? ", "
                                        : " and ",
                        macros[i].name);
    swp_text_format(&header->text, " %s\"\n", where);
    if (for_gpus)
        swp_text_format(&header->text, "#endif\n");
    for (size_t i = 0; i < count; i++)
        put_definition(header, &macros[i]);
    swp_text_format(&header->text, "#endif\n");
}

/* X_OP for each op, or X_WHEN_OP for each that has a condition of the kernel's. */
static swp_status list_ops(swp_c_header *header, bool conditions, swp_c_macro *macros,
                           size_t *count)
{
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++) {
        char *name = NULL;
        if (!header->op_macros[tag] || (conditions && !swp_c_has_own_condition(header, tag)))
            continue;
        SWP_TRY(swp_format(header->ctx, &name, "%s_%s%s", header->prefix, conditions ? "WHEN_" : "",
                           header->op_macros[tag]));
        macros[(*count)++] = (swp_c_macro){name, conditions ? "0" : "((void)0)"};
    }
    return SWP_OK;
}

static swp_status list_mbarriers(swp_c_header *header, swp_c_macro *macros, size_t *count)
{
    char *name = NULL;
    if (swp_ir_object_slots(header->schedule, SWP_OBJECT_MBARRIER) == 0)
        return SWP_OK;
    SWP_TRY(swp_format(header->ctx, &name, "%s_MBARRIERS", header->prefix));
    macros[(*count)++] = (swp_c_macro){name, "0"};
    return SWP_OK;
}

swp_status swp_c_put_missing_ops(swp_c_header *header)
{
    swp_c_macro *macros = NULL;
    size_t count = 0;
    SWP_TRY(SWP_TAKE(header->ctx, 2 * SWP_SCHEDULE_TAGS + 1, &macros));
    SWP_TRY(list_ops(header, false, macros, &count));
    if (count == 0)
        return SWP_OK;
    swp_text_format(
        &header->text,
        "\n/* Macros of ops may stand behind this header, but then all of them do. */\n");
    put_condition(header, "defined", macros, count);
    SWP_TRY(list_ops(header, true, macros, &count));
    SWP_TRY(list_mbarriers(header, macros, &count));
    swp_c_put_missing(header, macros, count,
                      "before this header: not all of them are defined; its first comment has "
                      "their parameters",
                      NULL);
    swp_text_format(&header->text, "#endif\n");
    return SWP_OK;
}
