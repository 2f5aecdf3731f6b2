/* SPDX-License-Identifier: Apache-2.0 */
/* A table without chains: of two operations with one hash it has the later one. */
#include "audit/flow/computed_table.h"

enum { ENTRIES = 1 << 12 };

static swp_computed *entry_of(const swp_values *values, const swp_operation *operation)
{
    const uint32_t prime = 16777619U;
    uint32_t hash = (uint32_t)operation->op * prime ^ operation->constant;
    for (int i = 0; i < 4; i++)
        hash = (hash ^ (uint32_t)operation->operands[i]) * prime;
    return &values->computed[(hash ^ hash >> 15U) % ENTRIES];
}

static bool same(const swp_operation *a, const swp_operation *b)
{
    for (int i = 0; i < 4; i++)
        if (a->operands[i] != b->operands[i])
            return false;
    return a->op == b->op && a->constant == b->constant;
}

swp_status swp_flow_computed_init(swp_context *ctx, swp_computed **out)
{
    return SWP_TAKE(ctx, ENTRIES, out);
}

bool swp_flow_computed_find(const swp_values *values, const swp_operation *operation, int *result)
{
    const swp_computed *entry = entry_of(values, operation);
    if (!same(&entry->operation, operation))
        return false;
    *result = entry->result;
    return true;
}

int swp_flow_computed_keep(swp_values *values, const swp_operation *operation, int result)
{
    *entry_of(values, operation) = (swp_computed){*operation, result};
    return result;
}
