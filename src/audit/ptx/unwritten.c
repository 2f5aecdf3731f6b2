/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads of shared memory that nothing has written. A copy whose phase expects too few bytes is taken for one of a smaller box; what
 * is read of its place shows that it is not, where nothing else says so.
 */
#include "audit/ptx/execute.h"
#include "base/text.h"

#include <inttypes.h>

enum { UNIT = SWP_PTX_COPY_UNIT, WORD_BITS = 32 };

void swp_ptx_note_written(swp_ptx_run *run, int64_t low, int64_t high)
{
    for (int64_t unit = low / UNIT; unit * UNIT < high; unit++)
        run->written[unit / WORD_BITS] |= UINT32_C(1) << unit % WORD_BITS;
}

/* The first unit from one on that has not been written, or `end`. Most words are full. */
static int64_t first_unwritten(const swp_ptx_run *run, int64_t unit, int64_t end)
{
    while (unit < end) {
        const uint32_t word = run->written[unit / WORD_BITS];
        if (word == UINT32_MAX)
            unit += WORD_BITS - unit % WORD_BITS;
        else if (word >> unit % WORD_BITS & 1)
            unit++;
        else
            return unit;
    }
    return end;
}

void swp_ptx_note_read(swp_ptx_run *run, int insn, int64_t low, int64_t high)
{
    if (run->unwritten.high || low < 0 || high > swp_ptx_shared_end(run))
        return;
    const int64_t end = (high + UNIT - 1) / UNIT;
    const int64_t unit = first_unwritten(run, low / UNIT, end);
    if (unit == end)
        return;
    run->unwritten = (swp_ptx_finding){.at = insn, .low = unit * UNIT, .high = high};
}

swp_status swp_ptx_describe_unwritten(swp_ptx_run *run)
{
    char *text = NULL;
    if (!run->unwritten.high || run->is_dry || run->unwritten.detail)
        return SWP_OK;
    SWP_TRY(swp_format(run->outer, &text,
                       "this reads shared bytes to %" PRId64 ", and nothing has written those from "
                       "%" PRId64 " on: where a bulk copy is to bring them, its phase expects too "
                       "few bytes",
                       (run->unwritten.high - 1) % SWP_PTX_MOST_SHARED,
                       run->unwritten.low % SWP_PTX_MOST_SHARED));
    run->unwritten.detail = text;
    return SWP_OK;
}
