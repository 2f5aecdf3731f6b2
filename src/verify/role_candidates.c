/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the edits that may remove a hazard of warp roles: of its two entries, of its object, then of all lists of its run. */
#include "verify/role_candidates.h"

#include "ir/roles.h"
#include "ir/schedule.h"
#include "verify/trial.h"

#include <string.h>

enum { NEAR = 4 }; /* positions by which an entry is moved at first */

/* --- The lists of the run --- */

static void add_list(swp_role_finder *f, int stream, int form, swp_phase phase)
{
    const int of = phase == SWP_EPILOGUE ? form : 0;
    for (int i = 0; i < f->list_count; i++)
        if (f->lists[i].stream == stream && f->lists[i].form == of && f->lists[i].phase == phase)
            return;
    if (f->list_count < SWP_MOST_ROLE_LISTS)
        f->lists[f->list_count++] = (swp_role_list){
            stream, of, phase, swp_verify_edit_list(f->schedule, stream, of, phase)};
}

static void add_form(swp_role_finder *f, int stream, int n)
{
    const int form = swp_schedule_form_of(f->schedule, n);
    const bool has_passes = form <= (int)f->schedule->streams[0].tails.epilogue_count;
    if (form < 0)
        return;
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++)
        if (has_passes || phase >= SWP_EPILOGUE)
            add_list(f, stream, form, phase);
}

static void add_stream(swp_role_finder *f, int stream)
{
    const swp_hazard *h = f->hazard;
    if (!h->tiles)
        add_form(f, stream, h->smallest_n);
    for (int t = 0; t < h->tile_count; t++)
        add_form(f, stream, h->tiles[t]);
}

static int form_of_other(const swp_role_finder *f)
{
    const swp_hazard *h = f->hazard;
    const int n = !h->tiles                       ? h->smallest_n
                  : h->other_tile < h->tile_count ? h->tiles[h->other_tile]
                                                  : 0;
    return swp_ir_form_at(f->schedule, h->other.phase, n);
}

static void add_lists(swp_role_finder *f)
{
    const swp_hazard *h = f->hazard;
    add_list(f, h->stream, swp_verify_hazard_form(f->schedule, h), h->at.phase);
    if (h->has_other)
        add_list(f, h->other_stream, form_of_other(f), h->other.phase);
    add_stream(f, h->stream);
    if (h->has_other)
        add_stream(f, h->other_stream);
    for (int s = 0; s < (int)f->schedule->stream_count; s++)
        add_stream(f, s);
}

/* --- Edits of one entry --- */

static bool is_entry(const swp_role_list *list, int entry)
{
    return entry >= 0 && (size_t)entry < list->entries->count;
}

static swp_status offer_move(swp_role_finder *f, const swp_role_list *list, int entry, int by)
{
    const int to = by < 0 ? entry + by : entry + by + 1;
    if (to < 0 || to > (int)list->entries->count)
        return SWP_OK;
    return swp_role_offer(f, list,
                          (swp_edit){.kind = SWP_EDIT_MOVE, .at = {list->phase, entry}, .to = to});
}

static swp_status offer_moves(swp_role_finder *f, const swp_role_list *list, int entry, int least,
                              int most)
{
    for (int by = least; by <= most; by++) {
        SWP_TRY(offer_move(f, list, entry, -by));
        SWP_TRY(offer_move(f, list, entry, by));
    }
    return SWP_OK;
}

static swp_status offer_changes(swp_role_finder *f, const swp_role_list *list, int entry)
{
    SWP_TRY(swp_verify_role_offer_sets(f, list, entry));
    return swp_role_offer(f, list, (swp_edit){.kind = SWP_EDIT_REMOVE, .at = {list->phase, entry}});
}

/* --- The two entries of the hazard --- */

static swp_status offer_near(swp_role_finder *f, const swp_role_list *list, int entry)
{
    const int end = (int)list->entries->count;
    if (entry < 0)
        return SWP_OK;
    SWP_TRY(swp_verify_role_offer_insertions(f, list, SWP_INSERT_SYNC, entry, entry));
    if (!is_entry(list, entry))
        return SWP_OK;
    SWP_TRY(offer_changes(f, list, entry));
    SWP_TRY(offer_moves(f, list, entry, 1, NEAR));
    return swp_verify_role_offer_insertions(f, list, SWP_INSERT_SYNC, entry + 1,
                                            entry + 2 < end ? entry + 2 : entry + 1);
}

static const swp_role_list *list_of(const swp_role_finder *f, int stream, int form, swp_phase phase)
{
    for (int i = 0; i < f->list_count; i++)
        if (f->lists[i].stream == stream && f->lists[i].phase == phase &&
            (phase != SWP_EPILOGUE || f->lists[i].form == form))
            return &f->lists[i];
    return &f->lists[0];
}

static const swp_role_list *other_list(const swp_role_finder *f)
{
    return list_of(f, f->hazard->other_stream, form_of_other(f), f->hazard->other.phase);
}

/* --- All lists --- */

typedef swp_status offer_entry(swp_role_finder *f, const swp_role_list *list, int entry);

/* Of the entries on the hazard's object, or of all others. */
static swp_status offer_some(swp_role_finder *f, offer_entry *offer, bool of_object)
{
    for (int l = 0; l < f->list_count; l++)
        for (int i = 0; i < (int)f->lists[l].entries->count && !swp_edits_full(f->out); i++) {
            const int object = f->lists[l].entries->items[i].op.object;
            if ((object >= 0 && object == f->object) == of_object)
                SWP_TRY(offer(f, &f->lists[l], i));
        }
    return SWP_OK;
}

static swp_status offer_all(swp_role_finder *f, offer_entry *offer)
{
    SWP_TRY(offer_some(f, offer, true));
    return offer_some(f, offer, false);
}

static swp_status offer_swap(swp_role_finder *f, const swp_role_list *list, int entry)
{
    return offer_move(f, list, entry, 1);
}

static swp_status offer_near_moves(swp_role_finder *f, const swp_role_list *list, int entry)
{
    return offer_moves(f, list, entry, 2, NEAR);
}

static swp_status offer_far_moves(swp_role_finder *f, const swp_role_list *list, int entry)
{
    return offer_moves(f, list, entry, NEAR + 1, (int)list->entries->count);
}

static swp_status offer_insertions(swp_role_finder *f, swp_role_insertion what)
{
    for (int l = 0; l < f->list_count; l++)
        SWP_TRY(swp_verify_role_offer_insertions(f, &f->lists[l], what,
                                                 (int)f->lists[l].entries->count, 0));
    return SWP_OK;
}

static swp_status offer_for_run(swp_role_finder *f)
{
    const swp_hazard_kind kind = f->hazard->kind;
    SWP_TRY(offer_insertions(f, SWP_INSERT_MISSING));
    SWP_TRY(offer_all(f, swp_verify_role_offer_slips));
    if (kind == SWP_ARRIVALS || kind == SWP_NAMED_BARRIER)
        SWP_TRY(swp_verify_role_offer_counts(f));
    SWP_TRY(offer_some(f, offer_changes, true));
    SWP_TRY(offer_insertions(f, SWP_INSERT_SYNC));
    SWP_TRY(offer_insertions(f, SWP_INSERT_FENCE));
    SWP_TRY(offer_all(f, offer_swap));
    SWP_TRY(offer_some(f, offer_near_moves, true));
    SWP_TRY(offer_some(f, offer_changes, false));
    SWP_TRY(offer_insertions(f, SWP_INSERT_COMMIT));
    SWP_TRY(offer_some(f, offer_near_moves, false));
    SWP_TRY(offer_insertions(f, SWP_INSERT_WORK));
    SWP_TRY(swp_verify_role_offer_counts(f));
    return offer_all(f, offer_far_moves);
}

swp_status swp_verify_role_candidates_find(swp_context *ctx, const swp_schedule *schedule,
                                           const swp_hazard *hazard, swp_edit_list *out)
{
    swp_role_finder f = {
        .ctx = ctx, .schedule = schedule, .hazard = hazard, .object = -1, .out = out};
    for (int i = 0; hazard->object && i < (int)schedule->object_count; i++)
        if (!strcmp(schedule->objects[i].name, hazard->object))
            f.object = i;
    add_lists(&f);
    if (hazard->kind == SWP_UNFENCED)
        SWP_TRY(offer_insertions(&f, SWP_INSERT_FENCE));
    SWP_TRY(offer_near(&f, &f.lists[0], hazard->at.entry));
    if (hazard->has_other)
        SWP_TRY(offer_near(&f, other_list(&f), hazard->other.entry));
    return offer_for_run(&f);
}
