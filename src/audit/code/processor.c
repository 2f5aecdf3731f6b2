/* SPDX-License-Identifier: Apache-2.0 */
/* The one place where names of processors and targets are compared: everything else asks for bits. */
#include "audit/code/processor.h"

#include "base/names.h"

#include <string.h>

static const swp_processor_row rows[] = {{SWP_PROCESSOR_GFX942, "gfx942", 64 << 10},
                                         {SWP_PROCESSOR_GFX950, "gfx950", 160 << 10}};

/* What the name of a target begins with; a schedule for one sm_ runs on each. */
static const struct {
    const char *target;
    unsigned processors;
} targets[] = {{"mi355x", SWP_PROCESSOR_GFX950}, {"mi300x", SWP_PROCESSOR_GFX942},
               {"gfx942", SWP_PROCESSOR_GFX942}, {"gfx950", SWP_PROCESSOR_GFX950},
               {"sm_", SWP_PROCESSOR_SM},        {"a100", SWP_PROCESSOR_SM_80},
               {"h100", SWP_PROCESSOR_SM_90},    {"h200", SWP_PROCESSOR_SM_90}};

const swp_processor_row *swp_code_processor_named(swp_slice name)
{
    for (size_t i = 0; i < SWP_COUNT_OF(rows); i++)
        if (swp_code_slice_is(name, rows[i].name))
            return &rows[i];
    return NULL;
}

const swp_processor_row *swp_code_processor_row(swp_processor processor)
{
    size_t i = 0;
    while (i + 1 < SWP_COUNT_OF(rows) && rows[i].processor != processor)
        i++;
    return &rows[i];
}

swp_processor swp_code_processor_sm(int64_t number)
{
    enum { AMPERE = 80, HOPPER = 90 };
    return number == AMPERE   ? SWP_PROCESSOR_SM_80
           : number == HOPPER ? SWP_PROCESSOR_SM_90
                              : SWP_PROCESSOR_SM_OTHER;
}

unsigned swp_code_processors_of_target(const char *target)
{
    for (size_t i = 0; i < SWP_COUNT_OF(targets); i++)
        if (strncmp(target, targets[i].target, strlen(targets[i].target)) == 0)
            return targets[i].processors;
    return 0;
}
