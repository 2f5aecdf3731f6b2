/* SPDX-License-Identifier: Apache-2.0 */
/* What equations of boxes say of each other, copy by copy, and what follows from all of them, by linear_system.c. */
#include "audit/ptx/box_equations.h"

#include "audit/ptx/linear_system.h"

#include <string.h>

#define UNKNOWN SWP_PTX_UNKNOWN_SIZE

/* Whether all of one's copies are the other's, too. */
static bool is_part(const swp_ptx_equation *part, const swp_ptx_equation *whole)
{
    size_t found = 0;
    for (size_t i = 0; i < whole->count && found < part->count; i++)
        found += whole->maps[i] == part->maps[found];
    return found == part->count;
}

bool swp_ptx_have_same_copies(const swp_ptx_equation *a, const swp_ptx_equation *b)
{
    return a->count == b->count && is_part(a, b);
}

bool swp_ptx_contradict(const swp_ptx_equation *a, const swp_ptx_equation *b)
{
    if (a->count > b->count)
        return swp_ptx_contradict(b, a);
    if (!is_part(a, b))
        return false;
    return a->count == b->count ? a->bytes != b->bytes : a->bytes >= b->bytes;
}

bool swp_ptx_share_map(const swp_ptx_equation *a, const swp_ptx_equation *b)
{
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < b->count; k++)
            if (a->maps[i] == b->maps[k])
                return true;
    return false;
}

size_t swp_ptx_index_of_map(const swp_ptx_sizes *sizes, uint64_t map)
{
    size_t at = 0;
    while (at < sizes->count && sizes->items[at].map != map)
        at++;
    return at;
}

/* How often each map is copied; false: some map stands in no equation. */
static bool count_copies(const swp_ptx_sizes *sizes, const swp_ptx_equation *equation,
                         int64_t *coefficients)
{
    memset(coefficients, 0, sizes->count * sizeof *coefficients);
    for (size_t i = 0; i < equation->count; i++) {
        const size_t map = swp_ptx_index_of_map(sizes, equation->maps[i]);
        if (map == sizes->count)
            return false;
        coefficients[map]++;
    }
    return true;
}

swp_status swp_ptx_follow_bytes(swp_context *ctx, const swp_ptx_equations *equations,
                                const swp_ptx_equation *asked, int64_t *bytes, bool *exact)
{
    swp_ptx_linear_system system;
    int64_t *coefficients = NULL;
    *bytes = UNKNOWN;
    *exact = true;
    SWP_TRY(swp_ptx_open_linear(ctx, equations->sizes.count, equations->count, &system));
    SWP_TRY(SWP_TAKE(ctx, equations->sizes.count + 1, &coefficients));
    for (size_t i = 0; i < equations->count; i++)
        if (!equations->items[i].computed &&
            count_copies(&equations->sizes, &equations->items[i], coefficients))
            swp_ptx_add_linear(&system, coefficients, equations->items[i].bytes);
    if (!count_copies(&equations->sizes, asked, coefficients))
        return SWP_OK;
    const swp_ptx_implied implied = swp_ptx_solve_linear(&system, coefficients, bytes);
    *bytes = implied == SWP_PTX_NOT_IMPLIED ? UNKNOWN : *bytes;
    *exact = implied != SWP_PTX_IMPLIED_FRACTION;
    return SWP_OK;
}

int64_t swp_ptx_stated_bytes(const swp_ptx_equations *equations, const swp_ptx_equation *equation)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < equation->count; i++) {
        size_t at = 0;
        while (at < equations->count &&
               (!equations->items[at].stated || *equations->items[at].maps != equation->maps[i]))
            at++;
        if (at == equations->count)
            return UNKNOWN;
        bytes += equations->items[at].bytes;
    }
    return equation->count ? bytes : UNKNOWN;
}
