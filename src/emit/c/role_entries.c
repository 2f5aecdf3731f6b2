/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in the lists of a schedule with warp roles. */
#include "emit/c/roles.h"

#include "ir/schedule.h"

static swp_status visit_list(const swp_stream *stream, const swp_entry_list *entries,
                             swp_c_visit *visit, void *user)
{
    for (size_t i = 0; i < entries->count; i++)
        SWP_TRY(visit(user, stream, &entries->items[i]));
    return SWP_OK;
}

swp_status swp_c_visit_role(const swp_stream *stream, swp_c_visit *visit, void *user)
{
    const swp_entry_list *list = NULL;
    for (size_t i = 0; (list = swp_ir_stream_list(stream, i)); i++)
        SWP_TRY(visit_list(stream, list, visit, user));
    return SWP_OK;
}

/* Ends the visit where the tag stands. */
static swp_status find_tag(void *user, const swp_stream *stream, const swp_entry *entry)
{
    (void)stream;
    return entry->op.tag == *(const int *)user ? SWP_STOPPED : SWP_OK;
}

bool swp_c_has_tag(const swp_schedule *schedule, int tag)
{
    for (size_t i = 0; i < schedule->stream_count; i++)
        if (swp_c_visit_role(&schedule->streams[i], find_tag, &tag) != SWP_OK)
            return true;
    return false;
}
