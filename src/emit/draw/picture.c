/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes all runs that a picture of a schedule shows: the usual one, and the shortest one for each
 * of its hazards.
 */
#include "emit/draw/figure.h"

static bool is_run_by(const swp_figure *f, int group, int stream, int instance)
{
    const swp_group_load *of = &f->timeline.groups[group];
    return of->stream == stream && (!f->hazard->role || of->instance == instance);
}

/* Returns the pass of the hazard's own entry: the last one in the shortest run that shows it. */
static int pass_of(const swp_figure *f)
{
    const int passes = f->timeline.passes;
    return f->hazard->at.phase == SWP_PROLOGUE ? -1
           : f->hazard->at.phase == SWP_KERNEL ? passes - 1
                                               : passes;
}

static bool is_entry(const swp_timeline_event *event, swp_entry_ref at, int pass)
{
    return event->at.phase == at.phase && event->at.entry == at.entry && event->pass == pass;
}

/* Of all pairs of groups that have the two entries, this finds the one in which they come closest. */
static void find_pair(swp_figure *f, int at)
{
    const swp_hazard *h = f->hazard;
    const swp_timeline_events *events = &f->timeline.events;
    const swp_timeline_event *event = &events->items[at];
    for (int i = 0; i < (int)events->count; i++) {
        const swp_timeline_event *other = &events->items[i];
        const bool is_own = h->kind == SWP_REGISTER_NOT_READY && other->group != event->group;
        if (is_own || !is_entry(other, h->other, pass_of(f) - h->passes_before) ||
            !is_run_by(f, other->group, h->other_stream, h->other_instance))
            continue;
        if (f->hazard_other >= 0 &&
            event->issued - other->finished >=
                events->items[f->hazard_event].issued - events->items[f->hazard_other].finished)
            continue;
        f->hazard_event = at;
        f->hazard_other = i;
    }
}

static void find_events(swp_figure *f)
{
    const swp_timeline_events *events = &f->timeline.events;
    for (int i = 0; i < (int)events->count; i++) {
        if (!is_entry(&events->items[i], f->hazard->at, pass_of(f)) ||
            !is_run_by(f, events->items[i].group, f->hazard->stream, f->hazard->instance))
            continue;
        if (f->hazard->has_other)
            find_pair(f, i);
        if (f->hazard_event < 0)
            f->hazard_event = i;
    }
}

/* A timeline does not contain lists of remainders and of output tiles. */
static bool has_run(const swp_schedule *schedule, const swp_hazard *hazard)
{
    return !schedule->output_tiles && hazard->at.phase <= SWP_EPILOGUE &&
           swp_schedule_form_of(schedule, hazard->smallest_n) == 0 &&
           hazard->smallest_n >= schedule->loop.min_tiles;
}

/* A second hazard of a kind would look like the first. */
static bool is_of_new_kind(const swp_picture *p, const swp_hazard *hazard)
{
    for (size_t i = 0; i < p->hazard_count; i++)
        if (p->hazards[i].hazard->kind == hazard->kind)
            return false;
    return true;
}

static swp_status add_hazards(swp_context *ctx, swp_picture *p)
{
    const swp_schedule *schedule = p->run.schedule;
    for (size_t i = 0; i < p->verdict.hazards.count && p->hazard_count < SWP_PICTURE_HAZARDS; i++) {
        const swp_hazard *hazard = &p->verdict.hazards.items[i];
        swp_figure *figure = &p->hazards[p->hazard_count];
        if (!has_run(schedule, hazard) || !is_of_new_kind(p, hazard))
            continue;
        SWP_TRY(swp_emit_figure(ctx, schedule, hazard->smallest_n, figure));
        figure->hazard = hazard;
        find_events(figure);
        p->hazard_count += figure->hazard_event >= 0;
    }
    return SWP_OK;
}

static void add_entry(swp_text *text, const char *role, int instance, swp_entry_ref at)
{
    if (role)
        swp_text_format(text, "%s %d, ", role, instance);
    swp_text_format(text, "%s entry %d", swp_phase_name(at.phase), at.entry);
}

void swp_emit_figure_hazard(swp_text *text, const swp_hazard *hazard)
{
    swp_text_format(text, "%s: ", swp_hazard_name(hazard->kind));
    add_entry(text, hazard->role, hazard->instance, hazard->at);
    swp_text_format(text, " (%s)", hazard->name);
    if (!hazard->has_other)
        return;
    swp_text_format(text, " and ");
    add_entry(text, hazard->other_role, hazard->other_instance, hazard->other);
}

void swp_emit_figure_look(const swp_figure *f, int64_t *from, int64_t *until)
{
    enum { SHARE = 4, LEAST = 12 };
    const swp_timeline_event *at = &f->timeline.events.items[f->hazard_event];
    const swp_timeline_event *other =
        f->hazard_other < 0 ? at : &f->timeline.events.items[f->hazard_other];
    const int64_t first = at->ready < other->issued ? at->ready : other->issued;
    const int64_t last = at->issued < other->issued ? other->issued : at->issued;
    const int64_t room = (last - first) / SHARE + LEAST;
    *from = first - room;
    *until = last + room;
}

/* A schedule to which the proof gives no meaning is drawn without a judgement. */
swp_status swp_emit_picture(swp_context *ctx, const swp_schedule *schedule, swp_picture *out)
{
    *out = (swp_picture){.is_judged = false};
    SWP_TRY(swp_emit_figure(ctx, schedule, 0, &out->run));
    out->proof = swp_context_within(ctx);
    if (!out->proof)
        return swp_out_of_memory(ctx);
    const swp_status status = swp_verify(out->proof, schedule, NULL, 0, &out->verdict);
    if (swp_ends_work(status))
        return swp_pass_on(ctx, status);
    out->is_judged = status == SWP_OK;
    return out->is_judged ? add_hazards(ctx, out) : SWP_OK;
}

swp_status swp_emit_two_pictures(swp_context *ctx, const swp_schedule *a, const swp_schedule *b,
                                 swp_picture out[2])
{
    out[1] = (swp_picture){.proof = NULL};
    SWP_TRY(swp_emit_picture(ctx, a, &out[0]));
    return swp_emit_picture(ctx, b, &out[1]);
}

void swp_emit_picture_free(swp_picture *picture)
{
    swp_context_free(picture->proof);
}
