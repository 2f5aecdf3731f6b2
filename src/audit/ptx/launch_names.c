/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of kernels by the names that their authors gave them. */
#include "audit/ptx/launch.h"

#include "audit/code/insn.h"
#include "base/diag.h"
#include "base/text.h"

#include <string.h>

enum { MOST_TOLD = 12 };

/* The kernel's name and `_param_` and a number: what compilers call a parameter whose name they have not kept. */
static bool is_made_up(const swp_ptx_kernel *kernel, swp_slice name)
{
    return swp_code_slice_contains(name, "_param_") && name.length > kernel->name.length &&
           memcmp(name.start, kernel->name.start, kernel->name.length) == 0;
}

swp_status swp_ptx_author_of_param(swp_context *ctx, const swp_audit_launch *launch,
                                   const swp_ptx_kernel *kernel, int param, const char **name)
{
    *name = NULL;
    if (param >= 0 && (size_t)param < launch->name_count) {
        *name = launch->names[param];
        return SWP_OK;
    }
    if (param < 0 || (size_t)param >= kernel->param_names.count ||
        is_made_up(kernel, kernel->param_names.items[param]))
        return SWP_OK;
    return swp_code_copy_printable(ctx, kernel->param_names.items[param], name);
}

/* The number of a parameter; -1: none has the name. */
static int find(const swp_audit_launch *launch, const swp_ptx_module *module, const char *name)
{
    for (size_t i = 0; i < launch->name_count; i++)
        if (strcmp(launch->names[i], name) == 0)
            return (int)i;
    for (size_t k = 0; k < module->kernels.count; k++) {
        const swp_ptx_kernel *kernel = &module->kernels.items[k];
        for (size_t i = 0; swp_ptx_is_asked_for(kernel, launch) && i < kernel->param_names.count;
             i++)
            if (swp_code_slice_is(kernel->param_names.items[i], name))
                return (int)i;
    }
    return -1;
}

static swp_status list_names(swp_context *ctx, const swp_audit_launch *launch,
                             const swp_ptx_module *module, char **out)
{
    swp_text text = {.ctx = ctx};
    int told = 0;
    for (size_t i = 0; i < launch->name_count && told < MOST_TOLD; i++)
        swp_text_format(&text, "%s%s", told++ ? ", " : "they are ", launch->names[i]);
    for (size_t k = 0; k < module->kernels.count && !launch->name_count; k++) {
        const swp_ptx_kernel *kernel = &module->kernels.items[k];
        for (size_t i = 0; swp_ptx_is_asked_for(kernel, launch) && i < kernel->param_names.count &&
                           told < MOST_TOLD;
             i++) {
            const char *name = NULL;
            SWP_TRY(swp_ptx_author_of_param(ctx, launch, kernel, (int)i, &name));
            if (name)
                swp_text_format(&text, "%s%s", told++ ? ", " : "they are ", name);
        }
    }
    if (!told)
        swp_text_format(&text, "compilers do not keep names of parameters: give them in their "
                               "order (--parameters A,B,K), or give the parameter's number");
    return swp_text_end(&text, out, NULL);
}

static swp_status resolve(swp_context *ctx, const char *file, const swp_audit_launch *launch,
                          const swp_ptx_module *module, const char *name, int *param)
{
    char *hint = NULL;
    if (!name)
        return SWP_OK;
    *param = find(launch, module, name);
    if (*param >= 0)
        return SWP_OK;
    SWP_TRY(list_names(ctx, launch, module, &hint));
    return swp_error(ctx, SWP_E0819, (swp_place){file, 0, 0}, hint, "no parameter is called %s",
                     name);
}

static swp_status copy_text(swp_context *ctx, const char *text, const char **out)
{
    char *copy = NULL;
    *out = NULL;
    if (text)
        SWP_TRY(swp_copy_text(ctx, text, strlen(text), &copy));
    *out = copy;
    return SWP_OK;
}

swp_status swp_ptx_copy_launch(swp_context *ctx, const swp_audit_launch *from,
                               const swp_ptx_module *module, const char *file, swp_audit_launch *to)
{
    swp_audit_argument *arguments = NULL;
    swp_audit_box *boxes = NULL;
    const char **names = NULL;
    *to = *from;
    SWP_TRY(copy_text(ctx, from->kernel, &to->kernel));
    SWP_TRY(SWP_TAKE(ctx, from->name_count + 1, &names));
    for (size_t i = 0; i < from->name_count; i++)
        SWP_TRY(copy_text(ctx, from->names[i], &names[i]));
    to->names = names;
    SWP_TRY(SWP_TAKE(ctx, from->argument_count + 1, &arguments));
    for (size_t i = 0; i < from->argument_count; i++) {
        arguments[i] = from->arguments[i];
        SWP_TRY(copy_text(ctx, from->arguments[i].name, &arguments[i].name));
        SWP_TRY(resolve(ctx, file, from, module, arguments[i].name, &arguments[i].param));
    }
    to->arguments = arguments;
    SWP_TRY(SWP_TAKE(ctx, from->box_count + 1, &boxes));
    for (size_t i = 0; i < from->box_count; i++) {
        boxes[i] = from->boxes[i];
        SWP_TRY(copy_text(ctx, from->boxes[i].name, &boxes[i].name));
        SWP_TRY(resolve(ctx, file, from, module, boxes[i].name, &boxes[i].param));
    }
    to->boxes = boxes;
    return SWP_OK;
}
