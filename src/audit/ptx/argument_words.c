/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of a run in words: as their author calls them, and as options do. */
#include "audit/ptx/exploration.h"
#include "audit/ptx/launch.h"

#include <inttypes.h>

bool swp_ptx_is_zero(const swp_ptx_argument *argument)
{
    return argument->given && !argument->stated && argument->param >= 0 && argument->value == 0;
}

bool swp_ptx_has_zero(const swp_ptx_exploration *t)
{
    bool zero = false;
    for (int i = 0; i < t->arguments.count; i++)
        zero |= swp_ptx_is_zero(&t->arguments.items[i]);
    return zero;
}

const swp_ptx_argument *swp_ptx_part_of_pass(const swp_ptx_exploration *t)
{
    for (int i = 0; i < t->arguments.count; i++) {
        const swp_ptx_argument *argument = &t->arguments.items[i];
        if (swp_ptx_is_free(argument) && argument->param >= 0 && argument->unit > 1 &&
            argument->value < (uint64_t)argument->unit)
            return argument;
    }
    return NULL;
}

/* As its author calls it, where that is known. */
void swp_ptx_add_param_name(const swp_ptx_exploration *t, int param, int64_t byte, swp_text *text)
{
    const char *name = NULL;
    if (swp_ptx_author_of_param(t->ctx, t->arguments.launch, t->kernel, param, &name) != SWP_OK ||
        !name)
        swp_ptx_name_param(text, param, byte);
    else if (byte)
        swp_text_format(text, "%s at byte %" PRId64, name, byte);
    else
        swp_text_format(text, "%s", name);
}

/* As an option names it. */
static void add_option(const swp_ptx_exploration *t, const swp_ptx_argument *argument,
                       swp_text *text)
{
    const char *name = NULL;
    (void)swp_ptx_author_of_param(t->ctx, t->arguments.launch, t->kernel, argument->param, &name);
    if (name)
        swp_text_format(text, "--argument %s", name);
    else
        swp_text_format(text, "--argument %d", argument->param);
    if (argument->offset)
        swp_text_format(text, ".%d", (int)argument->offset);
    swp_text_format(text, "=N");
}

void swp_ptx_add_argument(const swp_ptx_exploration *t, const swp_ptx_argument *argument,
                          swp_text *text)
{
    static const char *const special[] = {"%ctaid.x",  "%ctaid.y",  "%ctaid.z",
                                          "%nctaid.x", "%nctaid.y", "%nctaid.z"};
    static const char *const of_clusters[] = {"%clusterid.x",  "%clusterid.y",  "%clusterid.z",
                                              "%nclusterid.x", "%nclusterid.y", "%nclusterid.z"};
    if (argument->param == SWP_PTX_TERM)
        swp_text_format(text, "what line %d computes",
                        t->module->insns.items[t->terms->items[argument->offset].insn].line);
    else if (argument->param < 0)
        swp_text_format(
            text, "%s",
            (t->kernel->cluster[0] ? of_clusters : special)[argument->offset - SWP_PTX_CTAID]);
    else
        swp_ptx_add_param_name(t, argument->param, argument->offset, text);
}

void swp_ptx_add_part_of_pass(const swp_ptx_exploration *t, swp_text *text)
{
    const swp_ptx_argument *argument = swp_ptx_part_of_pass(t);
    if (!argument)
        return;
    swp_text_format(text, ", where ");
    swp_ptx_add_param_name(t, argument->param, argument->offset, text);
    swp_text_format(text, " is less than the %d of a pass: state what it is (", argument->unit);
    add_option(t, argument, text);
    swp_text_format(text, ")");
}

void swp_ptx_add_arguments(const swp_ptx_exploration *t, swp_text *text)
{
    const char *before = "; seen with ";
    for (int i = 0; i < t->arguments.count; i++) {
        const swp_ptx_argument *argument = &t->arguments.items[i];
        if (!argument->given)
            continue;
        swp_text_format(text, "%s", before);
        swp_ptx_add_argument(t, argument, text);
        swp_text_format(text, " = %d", (int)argument->value);
        before = ", ";
    }
}

/* What would have to be stated of them, so that at most one is left. */
void swp_ptx_add_options(const swp_ptx_exploration *t, swp_text *text)
{
    bool grid = false;
    for (int i = 0; i < t->arguments.count; i++) {
        const swp_ptx_argument *argument = &t->arguments.items[i];
        if (!swp_ptx_is_free(argument))
            continue;
        if (argument->param < 0 && !grid)
            swp_text_format(text, " --grid X,Y,Z");
        if (argument->param >= 0) {
            swp_text_format(text, " ");
            add_option(t, argument, text);
        }
        grid |= argument->param < 0;
    }
}

swp_status swp_ptx_name_argument(const swp_ptx_exploration *t, const swp_ptx_argument *argument,
                                 int64_t most, char **out)
{
    swp_text text = {.ctx = t->ctx};
    swp_ptx_add_argument(t, argument, &text);
    /* There is always one work group in each dimension. */
    const bool counts_groups = argument->param < 0 && argument->offset >= SWP_PTX_NCTAID;
    swp_text_format(&text, " is from %d to %" PRId64, t->lacks_zero || counts_groups, most);
    return swp_text_end(&text, out, NULL);
}
