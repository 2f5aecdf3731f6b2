/* SPDX-License-Identifier: Apache-2.0 */
/* A timeline as one page for a browser: the runs as JSON, and the script that shows them. */
#include "emit/draw/html.h"

#include "base/require.h"
#include "emit/draw/viewer.h"
#include "ir/schedule.h"

static void add_colours(swp_text *text, const swp_figure *f)
{
    swp_text_format(text, ",\n\"colours\":[");
    for (int i = 0; i < SWP_FIGURE_COLOURS; i++)
        swp_text_format(text, "%s\"%s\"", i > 0 ? "," : "",
                        f->colours[i].meaning ? f->colours[i].meaning : "");
    swp_text_format(text, "],\n\"causes\":[");
    for (swp_stall_cause i = 0; i < SWP_STALL_CAUSES; i++)
        swp_text_format(text, "%s{\"name\":\"%s\",\"meaning\":\"%s\"}", i > 0 ? "," : "",
                        swp_stall_name(i), swp_stall_meaning(i));
    swp_text_format(text, "]");
}

static void add_hazards(swp_text *text, const swp_verdict *verdict)
{
    enum { MOST = 8 };
    swp_text_format(text, ",\n\"hazards\":[");
    for (size_t i = 0; i < verdict->hazards.count && i < MOST; i++) {
        swp_text_format(text, "%s\"", i > 0 ? "," : "");
        swp_emit_figure_hazard(text, &verdict->hazards.items[i]);
        swp_text_format(text, "\"");
    }
    if (verdict->hazards.count > MOST)
        swp_text_format(text, ",\"and %zu hazards more: `swp verify` lists all\"",
                        verdict->hazards.count - MOST);
    swp_text_format(text, "]");
}

static void add_head(swp_text *text, const swp_picture *picture)
{
    const swp_figure *run = &picture->run;
    const char *target = run->schedule->target;
    swp_text_format(text, "{\"title\":\"%s%s%s\",\n\"tile\":\"%s\",\n\"subtitle\":\"",
                    swp_schedule_title(run->schedule), target && target[0] ? " for " : "",
                    target ? target : "", swp_ir_tile_name(run->schedule));
    swp_emit_figure_summary(text, run);
    swp_text_format(text, "\"");
    add_colours(text, run);
    add_hazards(text, &picture->verdict);
}

static swp_status add_views(swp_text *text, const swp_picture *picture)
{
    char *name = NULL;
    swp_text_format(text, ",\n\"views\":[");
    SWP_TRY(swp_emit_html_view(text, &picture->run, "the run"));
    for (size_t i = 0; i < picture->hazard_count; i++) {
        const swp_hazard *hazard = picture->hazards[i].hazard;
        SWP_TRY(swp_format(text->ctx, &name, "hazard: %s", swp_hazard_name(hazard->kind)));
        swp_text_format(text, ",\n");
        SWP_TRY(swp_emit_html_view(text, &picture->hazards[i], name));
    }
    swp_text_format(text, "]}");
    return text->status;
}

static void add_page(swp_text *text, const char *title)
{
    swp_text_format(text,
                    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width\">\n"
                    "<title>%s</title>\n<style>\n",
                    title);
    swp_emit_viewer_add(text, "css");
    swp_text_format(text, "</style>\n");
    swp_emit_viewer_add(text, "html");
}

static swp_status write(swp_context *ctx, const swp_picture *picture, char **out, size_t *length)
{
    swp_text text = {.ctx = ctx, .escape = SWP_ESCAPE_MARKUP};
    add_page(&text, swp_schedule_title(picture->run.schedule));
    swp_text_format(&text, "<script type=\"application/json\" id=\"data\">\n");
    text.escape = SWP_ESCAPE_JSON;
    add_head(&text, picture);
    SWP_TRY(add_views(&text, picture));
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
        status = write(ctx, &picture, text, length);
    swp_emit_picture_free(&picture);
    return status;
}
