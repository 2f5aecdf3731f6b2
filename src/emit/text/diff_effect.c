/* SPDX-License-Identifier: Apache-2.0 */
/* Lists hazards, reasons and cycles that a difference adds or takes away. */
#include "emit/text/diff_effect.h"

#include <inttypes.h>
#include <stdio.h>

/* A line with more hazards is not read; JSON has them all. */
enum { MOST_HAZARDS = 2, OF_SIZE = 32 };

typedef struct line {
    swp_text *text;
    const swp_effect_style *style;
    bool begun;
} line;

static void begin_part(line *l)
{
    swp_text_format(l->text, "%s", l->begun ? "; " : l->style->lead);
    l->begun = true;
}

/* Writes the entry's number in the schedule that the line is about, if the entry is there. */
static void add_place(line *l, const swp_diff_hazard *hazard)
{
    const int own = l->style->by_b ? hazard->b : hazard->a;
    const int other = l->style->by_b ? hazard->a : hazard->b;
    const char *whose = own >= 0 ? "" : l->style->by_b ? "A's " : "B's ";
    swp_text_format(l->text, "%s at %s%s%s%s %d (%s)", swp_hazard_name(hazard->kind), whose,
                    hazard->role ? hazard->role : "", hazard->role ? " " : "",
                    swp_phase_name(hazard->phase), own >= 0 ? own : other, hazard->name);
}

/* @param turns  what that makes of the schedule; NULL: nothing else */
static void add_hazards(line *l, const char *turns, const char *verb,
                        const swp_diff_hazard_list *hazards, bool added)
{
    if (hazards->count == 0)
        return;
    begin_part(l);
    if (turns) {
        swp_text_toned(l->text, added ? SWP_TONE_BAD : SWP_TONE_GOOD, "%s", turns);
        swp_text_format(l->text, ": ");
    }
    for (size_t i = 0; i < hazards->count && i < MOST_HAZARDS; i++) {
        swp_text_format(l->text, "%s", i == 0 ? verb : ", ");
        add_place(l, &hazards->items[i]);
        if (added)
            swp_text_format(l->text, " from N = %d", hazards->items[i].smallest_n);
    }
    if (hazards->count > MOST_HAZARDS)
        swp_text_format(l->text, ", and %zu more", hazards->count - MOST_HAZARDS);
}

/* Writes "3 waits fewer" or "0.5 cycles a pass more"; nothing for 0. */
static void add_amount(line *l, double amount, const char *unit, const char *of)
{
    const int64_t hundredths = (int64_t)((amount < 0 ? -amount : amount) * 100 + 0.5);
    if (hundredths == 0)
        return;
    begin_part(l);
    swp_text_format(l->text, "%" PRId64, hundredths / 100);
    if (hundredths % 100 != 0)
        swp_text_format(l->text, ".%02d", (int)(hundredths % 100));
    swp_text_format(l->text, " %s%s%s %s", unit, hundredths == 100 ? "" : "s", of,
                    amount > 0 ? "more" : "fewer");
}

static void add_safety(line *l, const swp_diff_effect *effect)
{
    const bool turns_unsafe = effect->was_safe && !effect->is_safe;
    const bool turns_safe = !effect->was_safe && effect->is_safe;
    add_hazards(l, turns_unsafe ? "unsafe" : NULL, turns_unsafe ? "" : "adds ", &effect->hazards,
                true);
    add_hazards(l, turns_safe ? "safe" : NULL, "removes ", &effect->gone, false);
}

static void add_steady_state(line *l, const swp_diff_effect *effect)
{
    const char *tile = l->style->tile;
    char of[OF_SIZE];
    (void)snprintf(of, sizeof of, " %s %s", tile ? swp_emit_article(tile) : "a",
                   tile ? tile : "pass");
    add_amount(l, tile ? effect->cycles_per_tile : effect->cycles_per_pass, "cycle", of);
}

bool swp_emit_diff_effect_add(swp_text *text, const swp_effect_style *style,
                              const swp_diff_effect *effect)
{
    line l = {.text = text, .style = style};
    if (effect->judged)
        add_safety(&l, effect);
    if (style->whole) {
        add_amount(&l, effect->barriers, "barrier", "");
        add_amount(&l, effect->waits, "wait", "");
    }
    if (effect->simulated) {
        add_steady_state(&l, effect);
        if (style->whole || style->phase == SWP_PROLOGUE)
            add_amount(&l, (double)effect->prologue_cycles, "cycle", " of the prologue");
        if (style->whole || style->phase == SWP_EPILOGUE)
            add_amount(&l, (double)effect->epilogue_cycles, "cycle", " of the epilogue");
    }
    if (l.begun)
        swp_text_format(text, "\n");
    return l.begun;
}
