/* SPDX-License-Identifier: Apache-2.0 */
/* Shows what the proof found: a line for each hazard, and a section for the first one of each kind. */
#include "emit/draw/svg.h"

#include "ir/schedule.h"

static void add_hazard_line(swp_svg_panel *p, const swp_hazard *hazard)
{
    enum { LINE = 18 };
    p->y += LINE;
    swp_text_format(p->text, "<text class=\"red\" x=\"16\" y=\"%.1f\">", p->y);
    swp_emit_figure_hazard(p->text, hazard);
    swp_text_format(p->text, "</text>\n");
}

void swp_emit_svg_hazard_list(swp_svg_panel *p, const swp_verdict *verdict)
{
    enum { MOST = 8, LINE = 18 };
    for (size_t i = 0; i < verdict->hazards.count && i < MOST; i++)
        add_hazard_line(p, &verdict->hazards.items[i]);
    if (verdict->hazards.count <= MOST)
        return;
    p->y += LINE;
    swp_text_format(p->text,
                    "<text class=\"red\" x=\"16\" y=\"%.1f\">and %zu hazards more: `swp verify` "
                    "lists all</text>\n",
                    p->y, verdict->hazards.count - MOST);
}

static swp_status add_hazard(swp_svg_panel *p)
{
    enum { ROOM = 24 };
    const swp_hazard *hazard = p->figure->hazard;
    char *heading = NULL;
    char *remark = NULL;
    swp_context *ctx = p->text->ctx;
    SWP_TRY(swp_format(ctx, &heading, "Hazard: %s", swp_hazard_name(hazard->kind)));
    SWP_TRY(swp_format(
        ctx, &remark,
        hazard->has_other ? "with %d %s%s: nothing orders the two in frames" : "with %d %s%s",
        hazard->smallest_n, swp_ir_tile_name(p->figure->schedule), swp_plural(hazard->smallest_n)));
    swp_emit_figure_look(p->figure, &p->from, &p->until);
    p->is_labelled = true;
    swp_emit_svg_heading(p, heading, remark);
    p->y += ROOM;
    SWP_TRY(swp_emit_svg_groups(p));
    swp_emit_svg_units(p);
    swp_emit_svg_hazard(p);
    swp_emit_svg_axis(p);
    return SWP_OK;
}

swp_status swp_emit_svg_hazards(swp_svg_panel *p, const swp_picture *picture)
{
    p->is_of_hazard = true;
    for (size_t i = 0; i < picture->hazard_count; i++) {
        p->figure = &picture->hazards[i];
        SWP_TRY(add_hazard(p));
    }
    p->is_of_hazard = false;
    p->figure = &picture->run;
    return SWP_OK;
}
