/* SPDX-License-Identifier: Apache-2.0 */
/* What derived synchronisation costs, and whether that is proven. */
#include "emit/text/sync.h"

#include <inttypes.h>

/* Of a pass: whole where they are, else with two decimals. */
static void add_cycles(swp_text *text, const swp_sync_result *sync, int64_t cycles)
{
    if (cycles % sync->passes == 0)
        swp_text_format(text, "%" PRId64, cycles / sync->passes);
    else
        swp_text_format(text, "%.2f", (double)cycles / sync->passes);
}

static void add_proof(swp_text *text, const swp_sync_result *sync)
{
    if (sync->optimal) {
        swp_text_format(text, ": proven optimal\n");
    } else if (sync->cycles <= sync->bound) {
        swp_text_format(text, ": proven; whether fewer barriers do is not\n");
    } else {
        swp_text_format(text, ": gap ");
        add_cycles(text, sync, sync->cycles - sync->bound);
        swp_text_format(text, ", not proven optimal\n");
    }
}

void swp_emit_sync_add(swp_text *text, const swp_sync_result *sync)
{
    if (sync->passes == 0)
        return;
    swp_text_format(text, "sync       ");
    add_cycles(text, sync, sync->cycles);
    swp_text_format(text, " cycles a pass, lower bound ");
    add_cycles(text, sync, sync->bound);
    add_proof(text, sync);
    swp_text_format(text, "           %d barrier%s a pass, at least %d needed\n", sync->barriers,
                    sync->barriers == 1 ? "" : "s", sync->least_barriers);
}
