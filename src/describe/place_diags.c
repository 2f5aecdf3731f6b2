/* SPDX-License-Identifier: Apache-2.0 */
#include "describe/place_diags.h"

#include "base/names.h"

#include <string.h>

static bool is_part_of_path(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

static bool names_path(const char *message, const char *section, const char *name)
{
    const size_t section_length = strlen(section);
    const size_t name_length = strlen(name);
    const char *at = message;
    while ((at = strstr(at, section))) {
        const char *dot = at + section_length;
        const bool starts = at == message || !is_part_of_path(at[-1]);
        if (starts && *dot == '.' && strncmp(dot + 1, name, name_length) == 0 &&
            !is_part_of_path(dot[1 + name_length]))
            return true;
        at = dot;
    }
    return false;
}

/* The latest setting that a text names. */
static const swp_setting *setting_in(const char *text, const swp_setting_list *settings)
{
    for (size_t i = settings->count; i-- > 0;) {
        const swp_field *field = settings->items[i].field;
        const char *section = swp_section_name(field->section);
        if (*section && names_path(text, section, field->name))
            return &settings->items[i];
    }
    return NULL;
}

/* A hint says what to change, which is the culprit where the message names none. */
static void place_at_settings(swp_diag *diag, const swp_setting_list *settings)
{
    const swp_setting *setting = setting_in(diag->message, settings);
    if (!setting)
        setting = setting_in(diag->hint, settings);
    if (setting)
        diag->place = setting->value;
}

void swp_place_diags_at_settings(swp_context *ctx, const swp_description *description, size_t first)
{
    for (size_t i = first; i < ctx->diags->count; i++)
        if (!ctx->diags->items[i].place.file)
            place_at_settings(&ctx->diags->items[i], &description->settings);
}

/* What a message about a tile shape speaks of, most telling first. */
static const struct {
    const char *word;
    const char *path;
} geometry_words[] = {
    {"elem_bytes", "geometry.elem_bytes"},
    {"MMA_", "geometry.mma"},
    {"", "geometry.block"},
    {"", "geometry.mma"},
    {"", "geometry.elem_bytes"},
};

void swp_place_diags_at_geometry(swp_context *ctx, const swp_description *description, size_t first)
{
    for (size_t i = first; i < ctx->diags->count; i++) {
        swp_diag *diag = &ctx->diags->items[i];
        for (size_t w = 0; w < SWP_COUNT_OF(geometry_words) && !diag->place.file; w++) {
            const swp_setting *setting =
                swp_description_setting(description, geometry_words[w].path);
            if (setting && strstr(diag->message, geometry_words[w].word))
                diag->place = setting->value;
        }
    }
}

static swp_place place_in_body(const swp_own_body *body, const swp_diag *diag)
{
    const char *code = diag->code;
    const bool of_edge = strcmp(code, "E0302") == 0 || strcmp(code, "E0303") == 0 ||
                         strcmp(code, "E0304") == 0 || strcmp(code, "E0305") == 0;
    if (of_edge && body->own_edges)
        return body->edges_place;
    if (strcmp(code, "E0308") == 0 && body->reorder_place.file)
        return body->reorder_place;
    if (body->bootstrap.count && strstr(diag->message, "bootstrap"))
        return body->bootstrap_place;
    return body->body_place;
}

void swp_place_diags_at_body(swp_context *ctx, const swp_own_body *body, size_t first)
{
    for (size_t i = first; i < ctx->diags->count; i++) {
        swp_diag *diag = &ctx->diags->items[i];
        const bool of_body =
            strncmp(diag->code, "E03", 3) == 0 || strncmp(diag->code, "E04", 3) == 0 ||
            strncmp(diag->code, "E05", 3) == 0 || strstr(diag->message, "bootstrap");
        if (of_body && !diag->place.file)
            diag->place = place_in_body(body, diag);
    }
}
