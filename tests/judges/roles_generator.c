/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_generator.h"

#include <stdio.h>
#include <stdlib.h>

#include "roles_conditions.h"
#include "roles_shapes.h"

#include "swp/emit.h"

typedef void dress_draft(draft *d, test_random *random);

static random_roles safe(test_random *random, dress_draft *dress)
{
    random_roles p = {.ctx = swp_context_new(NULL)};
    if (!p.ctx)
        abort();
    draft d = random_draft(p.ctx, random);
    if (dress)
        dress(&d, random);
    p.schedule = draft_schedule(&d);
    return p;
}

random_roles random_roles_safe(test_random *random)
{
    return safe(random, NULL);
}

static bool has_tag(const swp_stream *stream, int tag)
{
    for (int phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_stream_phase(stream, (swp_phase)phase);
        for (size_t i = 0; i < entries->count; i++)
            if (entries->items[i].op.tag == tag)
                return true;
    }
    return false;
}

static bool any_has_tag(const swp_schedule *form, int tag)
{
    for (size_t s = 0; s < form->stream_count; s++)
        if (has_tag(&form->streams[s], tag))
            return true;
    return false;
}

/* Else nobody can say at which entry the op's work is missing. No work is missing where N is 0. */
static bool has_all_ops(const swp_schedule *schedule)
{
    for (int f = 0; f < swp_schedule_forms(schedule); f++) {
        const swp_schedule form = swp_schedule_form(schedule, f);
        const bool is_empty = form.loop.tiles_per_pass == 0 && form.loop.min_tiles == 0;
        for (int op = 0; !is_empty && op < (int)schedule->dataflow->loop->op_count; op++)
            if (!any_has_tag(&form, swp_tag_of_loop_op(op)))
                return false;
    }
    return true;
}

bool random_roles_is_legal(const swp_schedule *schedule)
{
    swp_context *ctx = swp_context_new(NULL);
    if (!ctx)
        abort();
    const bool legal = swp_schedule_check_loop(ctx, schedule) == SWP_OK && has_all_ops(schedule);
    swp_context_free(ctx);
    return legal;
}

static bool edit(random_roles *p, int edits, test_random *random)
{
    while (p->edits < edits) {
        const char *name = random_roles_edit(p->ctx, &p->schedule, random);
        if (name)
            p->names[p->edits++] = name;
    }
    return random_roles_is_legal(&p->schedule) && conditions_have_slots(p->schedule.dataflow);
}

static random_roles dressed(test_random *random, dress_draft *dress)
{
    const int dice = random_int(random, 1, 100);
    const int edits = dice <= 28   ? 0
                      : dice <= 86 ? 1
                                   : random_int(random, 2, RANDOM_ROLES_MOST_EDITS);
    for (;;) {
        random_roles p = safe(random, dress);
        if (edit(&p, edits, random)) {
            p.schedule.machine.fence_reads = random_chance(random, 75);
            return p;
        }
        random_roles_free(&p);
    }
}

random_roles random_roles_new(test_random *random)
{
    return dressed(random, NULL);
}

random_roles random_roles_with_conditions(test_random *random)
{
    return dressed(random, draft_add_conditions);
}

void random_roles_print(const random_roles *p)
{
    const swp_emit_format *json = swp_emit_format_find("json");
    char *text = NULL;
    size_t length = 0;
    for (int i = 0; i < p->edits; i++)
        printf("edit: %s\n", p->names[i]);
    if (json && json->emit(p->ctx, &p->schedule, &text, &length) == SWP_OK)
        printf("%s", text);
}

void random_roles_free(random_roles *p)
{
    swp_context_free(p->ctx);
    *p = (random_roles){0};
}
