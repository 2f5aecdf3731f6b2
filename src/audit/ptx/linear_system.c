/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gaussian elimination over whole numbers: rows are multiplied crosswise, and divided by their greatest common divisor. What is
 * asked for is one more unknown, which a row of its own defines.
 */
#include "audit/ptx/linear_system.h"

#define MOST_NUMBER ((swp_ptx_wide)1 << 60)

/* A row: the coefficients, that of what is asked for, the value. */
static size_t columns_of(const swp_ptx_linear_system *s)
{
    return s->unknowns + 2;
}

static swp_ptx_wide *row_of(const swp_ptx_linear_system *s, size_t row)
{
    return s->numbers + row * columns_of(s);
}

static swp_ptx_wide magnitude(swp_ptx_wide number)
{
    return number < 0 ? -number : number;
}

/* False: the numbers are too large. */
static bool reduce(const swp_ptx_linear_system *s, swp_ptx_wide *row)
{
    swp_ptx_wide divisor = 0;
    bool fits = true;
    for (size_t c = 0; c < columns_of(s); c++)
        for (swp_ptx_wide left = magnitude(row[c]); left;) {
            const swp_ptx_wide rest = divisor % left;
            divisor = left;
            left = rest;
        }
    for (size_t c = 0; c < columns_of(s); c++) {
        row[c] /= divisor ? divisor : 1;
        fits &= magnitude(row[c]) <= MOST_NUMBER;
    }
    return fits;
}

/* The first unknown that stands in a row. */
static size_t pivot_of(const swp_ptx_linear_system *s, const swp_ptx_wide *row)
{
    size_t c = 0;
    while (c < s->unknowns && !row[c])
        c++;
    return c;
}

/* Each equation is 0 where those before it begin: one walk takes out all that can go. False: numbers get too large. */
static bool eliminate(const swp_ptx_linear_system *s, swp_ptx_wide *row)
{
    bool fits = reduce(s, row);
    for (size_t r = 0; r < s->equations && fits; r++) {
        const swp_ptx_wide *other = row_of(s, r);
        const size_t pivot = pivot_of(s, other);
        const swp_ptx_wide by = row[pivot];
        if (!by)
            continue;
        for (size_t c = 0; c < columns_of(s); c++)
            row[c] = row[c] * other[pivot] - other[c] * by;
        fits = reduce(s, row);
    }
    return fits;
}

static swp_ptx_wide *write_row(const swp_ptx_linear_system *s, const int64_t *coefficients,
                               int asked, int64_t value)
{
    swp_ptx_wide *row = row_of(s, s->equations);
    for (size_t c = 0; c < s->unknowns; c++)
        row[c] = coefficients[c];
    row[s->unknowns] = asked;
    row[s->unknowns + 1] = value;
    return row;
}

swp_status swp_ptx_open_linear(swp_context *ctx, size_t unknowns, size_t most_equations,
                               swp_ptx_linear_system *out)
{
    *out = (swp_ptx_linear_system){.unknowns = unknowns};
    return SWP_TAKE(ctx, (most_equations + 1) * columns_of(out), &out->numbers);
}

void swp_ptx_add_linear(swp_ptx_linear_system *system, const int64_t *coefficients, int64_t value)
{
    const swp_ptx_wide *row = write_row(system, coefficients, 0, value);
    if (eliminate(system, row_of(system, system->equations)) &&
        pivot_of(system, row) < system->unknowns)
        system->equations++;
}

swp_ptx_implied swp_ptx_solve_linear(swp_ptx_linear_system *system, const int64_t *coefficients,
                                     int64_t *value)
{
    swp_ptx_wide *row = write_row(system, coefficients, 1, 0);
    const bool fits = eliminate(system, row);
    const swp_ptx_wide divisor = row[system->unknowns];
    if (!fits || !divisor || pivot_of(system, row) < system->unknowns)
        return SWP_PTX_NOT_IMPLIED;
    *value = (int64_t)(-row[system->unknowns + 1] / divisor);
    return row[system->unknowns + 1] % divisor == 0 ? SWP_PTX_IMPLIED : SWP_PTX_IMPLIED_FRACTION;
}
