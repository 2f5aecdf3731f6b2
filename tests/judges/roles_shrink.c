/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a program smaller, an entry at a time. */
#include "editor.h"
#include "roles_generator.h"

static bool shrink_list(random_roles *p, swp_entry_list *list, swp_phase phase,
                        bool (*keeps)(const swp_schedule *schedule, void *user), void *user)
{
    const editor e = {.ctx = p->ctx, .schedule = &p->schedule, .list = list, .phase = phase};
    bool shrunk = false;
    for (int i = (int)list->count; i-- > 0;) {
        const swp_op op = editor_remove_at(&e, i);
        if (random_roles_is_legal(&p->schedule) && keeps(&p->schedule, user))
            shrunk = true;
        else
            editor_insert(&e, i, op);
    }
    return shrunk;
}

void random_roles_shrink(random_roles *p, bool (*keeps)(const swp_schedule *schedule, void *user),
                         void *user)
{
    bool shrunk = true;
    while (shrunk) {
        shrunk = false;
        for (size_t s = 0; s < p->schedule.stream_count; s++) {
            swp_stream *stream = &p->schedule.streams[s];
            swp_tails *tails = &stream->tails;
            shrunk |= shrink_list(p, &stream->prologue, SWP_PROLOGUE, keeps, user);
            shrunk |= shrink_list(p, &stream->kernel, SWP_KERNEL, keeps, user);
            shrunk |= shrink_list(p, &stream->epilogue, SWP_EPILOGUE, keeps, user);
            for (size_t i = 0; i < tails->epilogue_count; i++)
                shrunk |= shrink_list(p, &tails->epilogues[i], SWP_EPILOGUE, keeps, user);
            for (size_t i = 0; i < tails->straight_count; i++)
                shrunk |= shrink_list(p, &tails->straight[i], SWP_EPILOGUE, keeps, user);
        }
    }
}
