/* SPDX-License-Identifier: Apache-2.0 */
/* Sums a schedule up in a few lines: how fast it is, what limits it, what it takes, and whether it is safe. */
#include "swp/report.h"

#include "base/require.h"
#include "base/text.h"
#include "emit/text/figures.h"
#include "emit/text/loop.h"
#include "emit/text/loop_bound.h"
#include "emit/text/schedule.h"
#include "emit/text/sync.h"
#include "emit/text/verdict.h"
#include "ir/loop_resident.h"
#include "ir/schedule.h"

#include <inttypes.h>

/* More values than this are only counted. */
enum { MOST_VALUES = 12 };

static void add_slots(swp_text *text, const swp_loop_dataflow *d)
{
    const size_t count = d->loop->value_count;
    if (count == 0)
        return;
    swp_text_format(text, "slots     ");
    for (size_t v = 0; v < count && v < MOST_VALUES; v++)
        swp_text_format(text, "%s %s %d", v > 0 ? "," : "", d->loop->values[v].name, d->slots[v]);
    if (count > MOST_VALUES)
        swp_text_format(text, " and %zu values more", count - MOST_VALUES);
    swp_text_add(text, "\n", 1);
}

/* Writes the result of the search: of a loop, of one whose schedule was read, or of a body. */
static void add_answer(swp_text *text, const swp_schedule *s)
{
    if (s->pipeline) {
        swp_emit_loop_interval_in_brief(text, s->pipeline);
        swp_emit_loop_objectives(text, s->pipeline);
        swp_emit_loop_roles(text, s->dataflow->loop);
        swp_emit_loop_resident(text, s->pipeline);
    } else if (s->dataflow) {
        swp_emit_read_loop_interval(text, s);
    } else {
        swp_text_format(text, "order      ");
        swp_emit_order_add(text, s, "");
        swp_emit_order_figures_add(text, s);
    }
    if (s->metrics.stopped)
        swp_text_format(text, "search     stopped by a limit: what is not proven may be better\n");
    if (s->dataflow)
        add_slots(text, s->dataflow);
}

/*
 * The proof is about the cycles that derivation counted, so it counts only if the simulation counts
 * the same.
 */
static bool is_proven(const swp_schedule *s, const swp_simulation *m)
{
    return swp_emit_sync_is_least(s) && s->sync.cycles * m->passes == m->cycles * s->sync.passes;
}

static void add_share(swp_text *text, const swp_schedule *s, const swp_simulation *m)
{
    const bool has_share = swp_emit_share_add(text, s, m->cycles, m->passes);
    if (is_proven(s, m))
        swp_text_format(text, "%s proven least for this order", has_share ? "," : ":");
}

/* What was looked for first, and what that costs. */
static void add_weighed(swp_text *text, const swp_pipeline *p, bool by_figures)
{
    const bool stated = p->loop->objectives_stated;
    swp_text_format(text, "weighed    ");
    if (!stated)
        swp_text_format(
            text, "these cycles first (0.25 %% more are as good), then %sthe room, then the pass",
            by_figures ? "those with loads twice as late, then " : "");
    for (int i = 0; stated && i < SWP_OBJECTIVE_COUNT; i++)
        swp_text_format(text, "%s%s", i == 0 ? "the interval first, then the objectives: " : ", ",
                        swp_objective_name(p->loop->objectives[i]));
    if (p->fewest_cycles > 0)
        swp_text_format(text, "\n           %.2f cycles an iteration exist without them",
                        p->fewest_cycles);
    swp_text_add(text, "\n", 1);
}

static void add_output_tile(swp_text *text, const swp_schedule *s, const swp_simulation *m)
{
    const int n = s->loop.min_tiles + m->tile_passes * s->loop.tiles_per_pass;
    if (m->tiles == 0)
        return;
    swp_text_format(text, "           ");
    swp_emit_quotient_add(text, m->tile_cycles, m->tiles);
    swp_text_format(text, " an output tile of %d %s%s\n", n, swp_ir_tile_name(s), swp_plural(n));
}

/* Where several work groups share the units, one of them ends an iteration so much more often. */
static void add_shared(swp_text *text, const swp_schedule *s, const swp_simulation *m)
{
    const int resident = s->dataflow ? swp_ir_loop_resident(s->dataflow->loop) : 1;
    if (resident == 1)
        return;
    swp_text_format(text, "           ");
    swp_emit_quotient_add(text, m->cycles, (int64_t)m->passes * s->loop.tiles_per_pass * resident);
    swp_text_format(text, " an iteration of any of the %d work groups\n", resident);
}

static void add_cycles(swp_text *text, const swp_schedule *s, const swp_simulation *m)
{
    if (!m) {
        swp_text_format(
            text, "cycles     not counted: `swp simulate` counts them, or says why it cannot\n");
        return;
    }
    swp_text_format(text, "cycles     ");
    swp_emit_quotient_add(text, m->cycles,
                          (int64_t)m->passes * (s->dataflow ? s->loop.tiles_per_pass : 1));
    swp_text_format(text, " %s, with waits and barriers", s->dataflow ? "an iteration" : "a pass");
    if (m->by_figures)
        swp_text_format(text, ", by the figures of the target file");
    add_share(text, s, m);
    swp_text_add(text, "\n", 1);
    add_shared(text, s, m);
    add_output_tile(text, s, m);
    if (!m->by_figures)
        swp_emit_counted_add(text, s);
}

static void add_proof(swp_text *text, const swp_schedule *s, const swp_summary *summary)
{
    swp_text_format(text, "proof      ");
    if (summary->verdict)
        swp_emit_verdict_add(text, s, summary->verdict);
    else
        swp_text_toned(text, SWP_TONE_DOUBT, "%s",
                       summary->proof_stopped ? "stopped by a limit: it may be safe or not"
                                              : "none: nothing says what this schedule means");
    swp_text_add(text, "\n", 1);
}

swp_status swp_summary_text(swp_context *ctx, const swp_schedule *schedule,
                            const swp_summary *summary, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && summary && text);
    swp_text out = {.ctx = ctx};
    swp_emit_title_add(&out, schedule);
    add_answer(&out, schedule);
    swp_text_format(&out, "runs       ");
    swp_emit_extent_add(&out, schedule);
    add_cycles(&out, schedule, summary->simulation);
    if (schedule->pipeline)
        add_weighed(&out, schedule->pipeline,
                    summary->simulation && summary->simulation->by_figures);
    add_proof(&out, schedule, summary);
    return swp_text_end(&out, text, length);
}

swp_status swp_summary_whole_text(swp_context *ctx, const swp_schedule *schedule,
                                  const swp_summary *summary, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && summary && text);
    char *whole = NULL;
    size_t whole_length = 0;
    SWP_TRY(swp_emit_text(ctx, schedule, &whole, &whole_length));
    swp_text out = {.ctx = ctx};
    swp_text_add(&out, whole, whole_length);
    add_proof(&out, schedule, summary);
    return swp_text_end(&out, text, length);
}
