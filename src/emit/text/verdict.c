/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a verdict as a compiler would: hazard by hazard, each with the two entries that it is about. */
#include "swp/report.h"

#include "base/diag.h"
#include "base/require.h"
#include "base/text.h"
#include "emit/text/row.h"
#include "emit/text/verdict.h"
#include "ir/roles.h"
#include "ir/schedule.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct sheet {
    swp_text text;
    const swp_schedule *schedule;
} sheet;

static void add_place(swp_text *text, const swp_hazard *hazard)
{
    const char operand = hazard->channel == 0 ? 'A' : 'B';
    if (hazard->value) {
        swp_text_format(text, ", %s %s[%d]", hazard->site == SWP_SITE_LDS ? "LDS" : "register",
                        hazard->value, hazard->slot);
        return;
    }
    switch (hazard->site) {
    case SWP_SITE_LDS:
        swp_text_format(text, ", LDS %c slot %d sub %d", operand, hazard->stage, hazard->subtile);
        break;
    case SWP_SITE_REGISTER:
        if (hazard->channel < 0)
            swp_text_format(text, ", the staging register");
        else
            swp_text_format(text, ", register %c sub %d", operand, hazard->subtile);
        break;
    case SWP_SITE_ACCUMULATOR:
        swp_text_format(text, ", accumulator row %d col %d", hazard->stage, hazard->subtile);
        break;
    case SWP_SITE_NONE:
        break;
    }
}

/* Writes an entry as it stands in the schedule, after its phase. */
static void add_row(sheet *s, int n, int stream, swp_entry_ref ref)
{
    char prefix[SWP_OP_NAME_SIZE + SWP_LIST_NAME_SIZE];
    char list[SWP_LIST_NAME_SIZE];
    const int form = swp_ir_form_at(s->schedule, ref.phase, n);
    const swp_entry *entry = swp_ir_entry_of(s->schedule, stream, form, ref.phase, ref.entry);
    if (!entry)
        return;
    swp_row_style style = {.prefix = prefix, .name_width = 12, .channels = true};
    swp_emit_row_suit(&style, s->schedule);
    (void)swp_ir_list_name(s->schedule, form, ref.phase, list);
    const char *role = swp_ir_role_name(s->schedule, stream);
    if (role)
        (void)snprintf(prefix, sizeof prefix, "    %-10.40s %-9s", role, list);
    else
        (void)snprintf(prefix, sizeof prefix, "    %-9s", list);
    swp_emit_row_add(&s->text, &style, entry, swp_schedule_op_name(s->schedule, entry->op.tag));
}

/* The prologue counts as the pass before the first, the epilogue as the one after the last. */
static void add_distance(sheet *s, const swp_hazard *hazard)
{
    const swp_phase from = hazard->other.phase;
    const swp_phase to = hazard->at.phase;
    const int passes = hazard->passes_before;
    const char *plural = abs(passes) == 1 ? "" : "es";
    if (!hazard->has_other || passes == 0)
        return;
    if (passes < 0)
        swp_text_format(&s->text, "      | the second %d pass%s before the first\n", -passes,
                        plural);
    else if (from == to)
        swp_text_format(&s->text, "      | the second %d pass%s after the first\n", passes, plural);
    else if (from == SWP_KERNEL)
        swp_text_format(&s->text, "      | the first %d pass%s before the epilogue\n", passes,
                        plural);
    else if (to == SWP_KERNEL)
        swp_text_format(&s->text, "      | the second in kernel pass %d\n", passes - 1);
    else
        swp_text_format(&s->text, "      | %d kernel pass%s between them\n", passes - 1,
                        passes == 2 ? "" : "es");
}

/* Returns the iterations of the run, or of one of its output tiles. */
static int n_of(const swp_hazard *hazard, int tile)
{
    if (!hazard->tiles)
        return hazard->smallest_n;
    return tile < hazard->tile_count ? hazard->tiles[tile] : 0;
}

/* The other entry is the earlier one, so it comes first. */
static void add_entries(sheet *s, const swp_hazard *hazard)
{
    if (hazard->has_other)
        add_row(s, n_of(hazard, hazard->other_tile), hazard->other_stream, hazard->other);
    if (!hazard->role) /* roles may be at different passes */
        add_distance(s, hazard);
    add_row(s, n_of(hazard, hazard->tile), hazard->stream, hazard->at);
}

static void add_sequence(sheet *s, const swp_hazard *hazard)
{
    swp_text_format(&s->text, "  smallest sequence: %d output tile%s", hazard->tile_count,
                    swp_plural(hazard->tile_count));
    for (int t = 0; t < hazard->tile_count; t++)
        swp_text_format(&s->text, "%s%d", t == 0 ? " of " : ", ", hazard->tiles[t]);
    if (hazard->tile_count > 0)
        swp_text_format(&s->text, " %ss", swp_ir_tile_name(s->schedule));
}

static void add_smallest(sheet *s, const swp_hazard *hazard)
{
    if (hazard->tiles)
        add_sequence(s, hazard);
    else
        swp_text_format(&s->text, "  smallest N: %d %s%s", hazard->smallest_n,
                        swp_ir_tile_name(s->schedule), hazard->smallest_n == 1 ? "" : "s");
    if (hazard->has_slack)
        swp_text_format(&s->text,
                        "; slack: %" PRId64 " cycles by the cost model, which proves nothing",
                        hazard->slack_cycles);
    swp_text_add(&s->text, "\n", 1);
}

static void add_hazard(sheet *s, const swp_hazard *hazard)
{
    char list[SWP_LIST_NAME_SIZE];
    const int form = swp_ir_form_at(s->schedule, hazard->at.phase, n_of(hazard, hazard->tile));
    if (hazard->role)
        swp_text_format(&s->text, "%s ", hazard->role);
    swp_text_format(&s->text,
                    "%s entry %d: ", swp_ir_list_name(s->schedule, form, hazard->at.phase, list),
                    hazard->at.entry);
    swp_text_toned(&s->text, hazard->accepted ? SWP_TONE_DOUBT : SWP_TONE_BAD,
                   "%s[%s]:", hazard->accepted ? "accepted" : "hazard",
                   swp_hazard_name(hazard->kind));
    swp_text_format(&s->text, " %s", hazard->name);
    add_place(&s->text, hazard);
    swp_text_format(&s->text, "\n  %s\n", hazard->detail);
    add_entries(s, hazard);
    add_smallest(s, hazard);
    swp_text_format(&s->text, "  hint: %s\n\n", hazard->hint);
}

void swp_emit_verdict_add(swp_text *text, const swp_schedule *schedule, const swp_verdict *verdict)
{
    const size_t count = verdict->hazards.count;
    if (!verdict->safe && count == (size_t)verdict->accepted) {
        swp_text_toned(text, SWP_TONE_DOUBT, "safe but for %zu accepted hazard%s", count,
                       count == 1 ? "" : "s");
        return;
    }
    swp_text_toned(text, verdict->safe ? SWP_TONE_GOOD : SWP_TONE_BAD, "%s",
                   verdict->safe ? "safe" : "unsafe");
    if (!verdict->safe)
        swp_text_format(text, ": %zu hazard%s, %d accepted", count, count == 1 ? "" : "s",
                        verdict->accepted);
    else if (schedule->output_tiles)
        swp_text_format(text, " for every sequence of output tiles and every timing");
    else
        swp_text_format(text, " for every number of %ss and every timing",
                        swp_ir_tile_name(schedule));
}

static void add_closing_line(sheet *s, const swp_verdict *verdict)
{
    swp_text_format(&s->text, "%s: ", swp_schedule_title(s->schedule));
    swp_emit_verdict_add(&s->text, s->schedule, verdict);
    swp_text_format(&s->text, " (%d pass%s explored)\n", verdict->passes_explored,
                    verdict->passes_explored == 1 ? "" : "es");
}

swp_status swp_verdict_text(swp_context *ctx, const swp_schedule *schedule,
                            const swp_verdict *verdict, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && verdict && text);
    sheet s = {.text = {.ctx = ctx}, .schedule = schedule};
    for (size_t i = 0; i < verdict->hazards.count; i++)
        add_hazard(&s, &verdict->hazards.items[i]);
    add_closing_line(&s, verdict);
    return swp_text_end(&s.text, text, length);
}
