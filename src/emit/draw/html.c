/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a timeline as one page for a browser: the runs as JSON, and the script that shows them. */
#include "emit/draw/html.h"

#include "base/require.h"
#include "emit/draw/viewer.h"
#include "ir/schedule.h"

#include <string.h>

/* One schedule, or two to compare. */
typedef struct pictures {
    const swp_picture *items;
    int count;
} pictures;

/* Returns what stands before the names of one of two schedules. */
static const char *side_of(const pictures *all, int index)
{
    static const char *const sides[] = {"A: ", "B: "};
    return all->count == 1 ? "" : sides[index];
}

static const char *comma(bool is_first)
{
    return is_first ? "" : ",";
}

/* If one of two schedules has kinds of ops and the other one units, a colour may mean two things. */
static void add_colours(swp_text *text, const pictures *all)
{
    swp_text_format(text, ",\n\"colours\":[");
    for (int colour = 0; colour < SWP_FIGURE_COLOURS; colour++) {
        const char *first = NULL;
        swp_text_format(text, "%s\"", comma(colour == 0));
        for (int i = 0; i < all->count; i++) {
            const char *meaning = all->items[i].run.colours[colour].meaning;
            if (meaning && (!first || strcmp(first, meaning) != 0))
                swp_text_format(text, "%s%s", first ? " or " : "", meaning);
            first = first ? first : meaning;
        }
        swp_text_format(text, "\"");
    }
    swp_text_format(text, "]");
}

static void add_causes(swp_text *text)
{
    swp_text_format(text, ",\n\"causes\":[");
    for (swp_stall_cause i = 0; i < SWP_STALL_CAUSES; i++)
        swp_text_format(text, "%s{\"name\":\"%s\",\"meaning\":\"%s\"}", comma(i == 0),
                        swp_stall_name(i), swp_stall_meaning(i));
    swp_text_format(text, "]");
}

static void add_hazards_of(swp_text *text, const char *side, const swp_hazard_list *hazards,
                           bool is_first)
{
    enum { MOST = 8 };
    for (size_t i = 0; i < hazards->count && i < MOST; i++) {
        swp_text_format(text, "%s\"%s", comma(is_first && i == 0), side);
        swp_emit_figure_hazard(text, &hazards->items[i]);
        swp_text_format(text, "\"");
    }
    if (hazards->count > MOST)
        swp_text_format(text, ",\"%sand %zu hazards more: `swp verify` lists all\"", side,
                        hazards->count - MOST);
}

static void add_hazards(swp_text *text, const pictures *all)
{
    bool is_first = true;
    swp_text_format(text, ",\n\"hazards\":[");
    for (int i = 0; i < all->count; i++) {
        const swp_hazard_list *hazards = &all->items[i].verdict.hazards;
        add_hazards_of(text, side_of(all, i), hazards, is_first);
        is_first = is_first && hazards->count == 0;
    }
    swp_text_format(text, "]");
}

static void add_title(swp_text *text, const pictures *all)
{
    for (int i = 0; i < all->count; i++) {
        const swp_schedule *schedule = all->items[i].run.schedule;
        const char *target = schedule->target;
        swp_text_format(text, "%s%s%s%s%s", i > 0 ? ", " : "", side_of(all, i),
                        swp_schedule_title(schedule), target && target[0] ? " for " : "",
                        target ? target : "");
    }
}

static void add_head(swp_text *text, const pictures *all)
{
    swp_text_format(text, "{\"title\":\"");
    add_title(text, all);
    swp_text_format(text, "\",\n\"subtitles\":[");
    for (int i = 0; i < all->count; i++) {
        swp_text_format(text, "%s\"%s", comma(i == 0), side_of(all, i));
        swp_emit_figure_summary(text, &all->items[i].run);
        swp_text_format(text, "\"");
    }
    swp_text_format(text, "]");
    add_colours(text, all);
    add_causes(text);
    add_hazards(text, all);
}

static swp_status add_views_of(swp_text *text, const char *side, const swp_picture *picture)
{
    char *name = NULL;
    SWP_TRY(swp_format(text->ctx, &name, "%sthe run", side));
    SWP_TRY(swp_emit_html_view(text, &picture->run, name));
    for (size_t i = 0; i < picture->hazard_count; i++) {
        const swp_hazard *hazard = picture->hazards[i].hazard;
        SWP_TRY(swp_format(text->ctx, &name, "%shazard: %s", side, swp_hazard_name(hazard->kind)));
        swp_text_format(text, ",\n");
        SWP_TRY(swp_emit_html_view(text, &picture->hazards[i], name));
    }
    return SWP_OK;
}

/* With two schedules, the page joins the runs that `pair` names. */
static swp_status add_views(swp_text *text, const pictures *all)
{
    if (all->count == 2)
        swp_text_format(text, ",\n\"pair\":[0,%zu]", 1 + all->items[0].hazard_count);
    swp_text_format(text, ",\n\"views\":[");
    for (int i = 0; i < all->count; i++) {
        swp_text_format(text, "%s", i > 0 ? "," : "");
        SWP_TRY(add_views_of(text, side_of(all, i), &all->items[i]));
    }
    swp_text_format(text, "]}");
    return text->status;
}

static void add_page(swp_text *text, const pictures *all)
{
    swp_text_format(text, "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                          "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    add_title(text, all);
    swp_text_format(text, "</title>\n<style>\n");
    swp_emit_viewer_add(text, "css");
    swp_text_format(text, "</style>\n");
    swp_emit_viewer_add(text, "html");
}

static swp_status write(swp_context *ctx, const pictures *all, char **out, size_t *length)
{
    swp_text text = {.ctx = ctx, .escape = SWP_ESCAPE_MARKUP};
    add_page(&text, all);
    swp_text_format(&text, "<script type=\"application/json\" id=\"data\">\n");
    text.escape = SWP_ESCAPE_JSON;
    add_head(&text, all);
    SWP_TRY(add_views(&text, all));
    swp_text_format(&text, "\n</script>\n<script>\n");
    swp_emit_viewer_add(&text, "js");
    swp_text_format(&text, "</script>\n</html>\n");
    return swp_text_end(&text, out, length);
}

swp_status swp_emit_html(swp_context *ctx, const swp_schedule *schedule, char **text,
                         size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && text);
    swp_picture picture;
    swp_status status = swp_emit_picture(ctx, schedule, &picture);
    if (status == SWP_OK)
        status = write(ctx, &(pictures){&picture, 1}, text, length);
    swp_emit_picture_free(&picture);
    return status;
}

swp_status swp_emit_html_of_two(swp_context *ctx, const swp_schedule *a, const swp_schedule *b,
                                char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && a && b && text);
    swp_picture two[2];
    swp_status status = swp_emit_two_pictures(ctx, a, b, two);
    if (status == SWP_OK)
        status = write(ctx, &(pictures){two, 2}, text, length);
    swp_emit_picture_free(&two[0]);
    swp_emit_picture_free(&two[1]);
    return status;
}
