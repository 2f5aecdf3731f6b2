/* SPDX-License-Identifier: Apache-2.0 */
/* Look-up in the instruction table: the longest row that a name goes on from. */
#include "audit/amd/amd.h"
#include "audit/amd/table.h"
#include "audit/flow/value_ops.h"

#include "base/names.h"

static const swp_amd_row rows[] = {
#define ROW(name, kind, destinations, value, flags)                                                \
    {name, SWP_INSN_##kind, destinations, SWP_VALUE_##value, SWP_AMD_##flags},
#define ARITHMETIC(name) ROW(name, VECTOR, 1, UNKNOWN, PLAIN)
#define LDS_ATOMIC(name)                                                                           \
    ROW(name, LDS_ATOMIC, 0, UNKNOWN, PLAIN) ROW(name "_rtn", LDS_ATOMIC, 1, UNKNOWN, PLAIN)
    SWP_AMD_SYNC(ROW) SWP_AMD_SCALAR(ROW) SWP_AMD_VECTOR(ROW) SWP_AMD_ARITHMETIC(ARITHMETIC)
        SWP_AMD_MEMORY(ROW) SWP_AMD_LDS_ATOMICS(LDS_ATOMIC)
#undef ROW
#undef ARITHMETIC
#undef LDS_ATOMIC
};

/* The name without its last part; empty if it has only one. */
static swp_slice shorten(swp_slice name)
{
    while (name.length && name.start[name.length - 1] != '_')
        name.length--;
    name.length -= name.length > 0;
    return name;
}

const swp_amd_row *swp_amd_row_of(swp_slice name)
{
    for (; name.length; name = shorten(name))
        for (size_t i = 0; i < SWP_COUNT_OF(rows); i++)
            if (swp_code_slice_is(name, rows[i].name))
                return &rows[i];
    return NULL;
}

static const struct {
    const char *name;
    swp_processor target;
} of_one_target[] = {
#define ROW(name, target) {name, SWP_PROCESSOR_##target},
    SWP_AMD_ONE_TARGET(ROW)
#undef ROW
};

bool swp_amd_has(swp_processor target, swp_slice name)
{
    for (; name.length; name = shorten(name))
        for (size_t i = 0; i < SWP_COUNT_OF(of_one_target); i++)
            if (swp_code_slice_is(name, of_one_target[i].name))
                return of_one_target[i].target == target;
    return true;
}
