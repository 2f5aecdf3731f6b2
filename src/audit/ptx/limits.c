/* SPDX-License-Identifier: Apache-2.0 */
/* What an answer rests on, and what keeps it from being one: what was taken for given, and what runs do not show. */
#include "audit/ptx/box_sizes.h"
#include "audit/ptx/exploration.h"
#include "audit/ptx/launch.h"
#include "base/text.h"

#include <inttypes.h>

static swp_status tell_others(swp_ptx_exploration *t)
{
    char *why = NULL;
    swp_text text = {.ctx = t->ctx};
    swp_text_format(&text,
                    "in no run that was followed anything goes wrong; that all others are like "
                    "these is not shown, as more than one argument decides the flow; state "
                    "all of these, or all but one:");
    swp_ptx_add_options(t, &text);
    SWP_TRY(swp_text_end(&text, &why, NULL));
    return swp_ptx_add_note(t, -1, why);
}

/* The answer is one for the launch that is stated. */
swp_status swp_ptx_tell_stated(const swp_ptx_exploration *t)
{
    char *why = NULL;
    swp_text text = {.ctx = t->ctx};
    const char *before = "as stated, ";
    for (int i = 0; i < t->arguments.count; i++) {
        const swp_ptx_argument *argument = &t->arguments.items[i];
        if (!argument->stated && !(argument->given && argument->groups))
            continue;
        swp_text_format(&text, "%s", before);
        swp_ptx_add_argument(t, argument, &text);
        if (argument->groups)
            swp_text_format(&text, " is 0 to %d", argument->groups - 1);
        else
            swp_text_format(&text, " is %" PRIu64, argument->value);
        before = ", ";
    }
    for (size_t i = 0; i < t->equations.count; i++) {
        const swp_ptx_equation *equation = &t->equations.items[i];
        if (!equation->stated || !(equation->stores || swp_ptx_is_copied(&t->equations, equation)))
            continue;
        swp_text_format(&text, "%sthe box of the tensor map in ", before);
        swp_ptx_add_param_name(t, equation->stated->param, equation->stated->byte, &text);
        swp_text_format(&text, " holds %" PRId64 " bytes", equation->stated->bytes);
        before = ", ";
    }
    if (!text.count)
        return SWP_OK;
    SWP_TRY(swp_text_end(&text, &why, NULL));
    return swp_ptx_assume(t, -1, why);
}

/* Runs of all lengths are shown to be in order, where that can be shown. */
static swp_status tell_length(swp_ptx_exploration *t)
{
    static const char none[] = "no run of this kernel came to its end";
    static const char longer[] =
        "in runs of up to 31 passes nothing goes wrong; that longer ones are like these could not "
        "be shown";
    if (!t->runs)
        return swp_ptx_add_note(t, -1, none);
    if (swp_ptx_count_free(t) > 1)
        return tell_others(t);
    if (t->unlike)
        return swp_ptx_add_note(t, -1, longer);
    for (int i = 0; i < t->arguments.count && t->most; i++) {
        char *why = NULL;
        if (!swp_ptx_is_free(&t->arguments.items[i]))
            continue;
        SWP_TRY(swp_ptx_name_argument(t, &t->arguments.items[i], t->most, &why));
        SWP_TRY(swp_ptx_assume(t, -1, why));
    }
    return SWP_OK;
}

static bool takes_from_room(const swp_ptx_equations *equations)
{
    const swp_ptx_sizes *sizes = &equations->sizes;
    for (size_t i = 0; i < sizes->count; i++)
        if (sizes->items[i].bytes == SWP_PTX_UNKNOWN_SIZE &&
            sizes->items[i].guess != SWP_PTX_UNKNOWN_SIZE)
            return true;
    return equations->guessed;
}

static const char *assumption_of(swp_audit_rule rule)
{
    switch (rule) {
    case SWP_AUDIT_FENCE_READS:
        return "a copy overwrites what ordinary instructions have read, with no fence.proxy.async "
               "in between";
    case SWP_AUDIT_FENCE_ANYWHERE:
        return "a proxy fence counts in any thread on the way to the asynchronous operation";
    case SWP_AUDIT_FENCE_INITS:
        return "copies see that the mbarrier is initialised, with no fence.mbarrier_init or "
               "fence.proxy.async behind it";
    case SWP_AUDIT_FENCE_GLOBALS:
        return "this copy sees what a flag in global memory has told of before, with no "
               "fence.proxy.async between the load of the flag and the copy";
    case SWP_AUDIT_NAMED_SCOPES:
        return "a wait that names no scope acquires what threads of other work groups have written";
    default:
        return "elect.sync elects one end of its mask";
    }
}

/* What was taken of rules that the manual leaves open, and how to take it the other way. */
static swp_status assume_rules(const swp_ptx_exploration *t)
{
    for (int number = 0; number < SWP_AUDIT_RULE_COUNT; number++) {
        const swp_audit_rule rule = (swp_audit_rule)number;
        char *why = NULL;
        const bool holds = swp_audit_rule_holds(rule) != (t->changed_rules >> rule & 1);
        if (t->assumed[rule] < 0)
            continue;
        if (rule == SWP_AUDIT_ELECT_LOWEST)
            SWP_TRY(swp_format(t->ctx, &why,
                               "elect.sync elects the %s thread of its mask, which the manual "
                               "leaves open (--set %s=%s)",
                               holds ? "lowest" : "highest", swp_audit_rule_name(rule),
                               holds ? "false" : "true"));
        else
            SWP_TRY(swp_format(t->ctx, &why, "%s (--set %s=%s)", assumption_of(rule),
                               swp_audit_rule_name(rule), holds ? "false" : "true"));
        SWP_TRY(swp_ptx_assume(t, t->assumed[rule], why));
    }
    return SWP_OK;
}

/* The sizes of boxes are in tensor maps, which PTX does not show. */
swp_status swp_ptx_add_assumptions(const swp_ptx_exploration *t)
{
    int tensor = t->kernel->first;
    while (tensor < t->kernel->end && (t->module->insns.items[tensor].kind != SWP_PTX_BULK_LOAD ||
                                       !swp_ptx_has(t->module->insns.items[tensor].name, "tensor")))
        tensor++;
    if (tensor < t->kernel->end)
        SWP_TRY(swp_ptx_assume(
            t, tensor,
            "the copies of a phase bring together the bytes that it expects (--box states them)"));
    if (tensor < t->kernel->end && takes_from_room(&t->equations))
        SWP_TRY(swp_ptx_assume(
            t, tensor,
            "how much of them each of several tensor maps' boxes holds is as "
            "the room allows between the places that copies write, as no --box states it"));
    for (int i = 0; i < t->arguments.count; i++) {
        const swp_ptx_argument *argument = &t->arguments.items[i];
        swp_text text = {.ctx = t->ctx};
        char *why = NULL;
        if (!argument->is_bytes || !argument->given || argument->stated)
            continue;
        swp_ptx_add_argument(t, argument, &text);
        swp_text_format(&text,
                        " is %" PRIu64 ", as the copies of a phase bring for which it says how "
                        "many bytes are expected, if their boxes fill the room between the places "
                        "that copies write (--argument)",
                        argument->value);
        SWP_TRY(swp_text_end(&text, &why, NULL));
        SWP_TRY(swp_ptx_assume(t, -1, why));
    }
    if (t->kernel->is_at_most) {
        char *why = NULL;
        SWP_TRY(swp_format(t->ctx, &why,
                           "the work group has %d threads, the most that .maxntid allows (--block)",
                           t->kernel->threads[0] * t->kernel->threads[1] * t->kernel->threads[2]));
        SWP_TRY(swp_ptx_assume(t, -1, why));
    }
    if (t->guesses_shape)
        SWP_TRY(
            swp_ptx_assume(t, -1, "all threads of a work group have y and z of 0 (--block X,Y)"));
    return assume_rules(t);
}

swp_status swp_ptx_report_limits(swp_ptx_exploration *t)
{
    const size_t before = t->told.out->unknown_instructions.count;
    if (t->undecided >= 0)
        SWP_TRY(swp_ptx_add_note(t, t->undecided,
                                 "what memory holds decides this branch: both ways were "
                                 "followed, each always taken alike"));
    if (t->unwritten.detail)
        SWP_TRY(swp_ptx_add_note(t, t->unwritten.at, t->unwritten.detail));
    if (t->doubt.detail) {
        SWP_TRY(SWP_PUSH(t->ctx, t->told.found, t->doubted));
        SWP_TRY(SWP_PUSH(t->ctx, &t->told.out->findings, t->doubt));
    }
    if (t->too_long)
        SWP_TRY(swp_ptx_add_note(t, -1, "runs take too long to follow them all"));
    SWP_TRY(swp_ptx_add_assumptions(t));
    SWP_TRY(swp_ptx_tell_stated(t));
    return t->told.out->unknown_instructions.count == before && !t->doubt.detail && !t->faulty
               ? tell_length(t)
               : SWP_OK;
}
