/* SPDX-License-Identifier: Apache-2.0 */
/* Writes makespan, registers, search and waits of a schedule, and what derived synchronisation costs. */
#include "emit/text/figures.h"

#include "emit/text/sync.h"

#include <inttypes.h>

static void add_makespan(swp_text *text, const swp_schedule *schedule)
{
    const swp_metrics *metrics = &schedule->metrics;
    if (metrics->makespan < 0)
        return;
    swp_text_format(text, "makespan   %" PRId64 " cycles", metrics->makespan);
    if (metrics->lower_bound >= 0)
        swp_text_format(text, ", lower bound %" PRId64, metrics->lower_bound);
    if (metrics->optimal)
        swp_text_format(text, ": proven optimal");
    else if (metrics->makespan == metrics->lower_bound)
        swp_text_format(text, ": proven; its registers and order are not");
    else if (metrics->lower_bound >= 0)
        swp_text_format(text, ": gap %" PRId64 ", not proven optimal",
                        metrics->makespan - metrics->lower_bound);
    swp_text_format(text, "\n           of one pass by itself, without waits and barriers\n");
}

static void add_search(swp_text *text, const swp_schedule *schedule)
{
    if (schedule->metrics.makespan < 0 || schedule->schedule.scheduling != SWP_CSP)
        return;
    swp_text_format(text, "search     %" PRIu64 " nodes%s\n", schedule->metrics.work,
                    schedule->metrics.seed ? "; the greedy order stands" : "");
}

static void add_registers(swp_text *text, const swp_schedule *schedule)
{
    if (schedule->metrics.vgpr_peak < 0)
        return;
    swp_text_format(text, "registers  %" PRId64 " at the peak", schedule->metrics.vgpr_peak);
    if (schedule->schedule.max_vgpr != SWP_NO_VGPR_LIMIT)
        swp_text_format(text, ", budget %d", schedule->schedule.max_vgpr);
    swp_text_add(text, "\n", 1);
}

static void add_waits(swp_text *text, const swp_schedule *schedule)
{
    const swp_metrics *metrics = &schedule->metrics;
    if (metrics->wait_lgkm_first < 0 && metrics->wait_vm_last < 0)
        return;
    swp_text_format(text, "waits      ");
    if (metrics->wait_lgkm_first == SWP_NO_WAIT_LGKM_FIRST)
        swp_text_format(text, "no lgkm wait first, ");
    else if (metrics->wait_lgkm_first >= 0)
        swp_text_format(text, "lgkmcnt <= %d first, ", metrics->wait_lgkm_first);
    if (metrics->wait_vm_last >= 0)
        swp_text_format(text, "vmcnt <= %d last in each half ", metrics->wait_vm_last);
    swp_text_format(text, "(%s)\n", schedule->schedule.auto_waits ? "derived" : "manual");
}

void swp_emit_order_figures_add(swp_text *text, const swp_schedule *schedule)
{
    add_makespan(text, schedule);
    add_registers(text, schedule);
}

void swp_emit_figures_add(swp_text *text, const swp_schedule *schedule)
{
    const swp_metrics *metrics = &schedule->metrics;
    if (metrics->makespan >= 0 || metrics->vgpr_peak >= 0 || metrics->wait_vm_last >= 0 ||
        schedule->sync.passes > 0 || schedule->by_figures.passes > 0)
        swp_text_add(text, "\n", 1);
    swp_emit_order_figures_add(text, schedule);
    add_search(text, schedule);
    add_waits(text, schedule);
    swp_emit_sync_add(text, schedule);
    swp_emit_counted_add(text, schedule);
}
