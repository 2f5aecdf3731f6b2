/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the waits and barriers of a list of entries. */
#include "swp/phase.h"

#include "base/require.h"

swp_sync_counts swp_count_sync(const swp_entry_list *entries)
{
    SWP_REQUIRE_OR((swp_sync_counts){0}, entries);
    swp_sync_counts counts = {0};
    for (size_t i = 0; i < entries->count; i++) {
        const int tag = entries->items[i].op.tag;
        const int next = i + 1 < entries->count ? entries->items[i + 1].op.tag : SWP_TAG_NONE;
        counts.vm_waits += tag == SWP_TAG_WAIT_VM;
        counts.lgkm_waits += tag == SWP_TAG_WAIT_LGKM;
        counts.merged_waits += tag == SWP_TAG_WAIT_VM && next == SWP_TAG_WAIT_LGKM;
        counts.barriers += tag == SWP_TAG_BARRIER;
        counts.schedule_barriers += tag == SWP_TAG_SCHEDULE_BARRIER;
    }
    return counts;
}
