/* SPDX-License-Identifier: Apache-2.0 */
/* Says what a hazard of a loop without warp roles is about, in the words of such loops. */
#include "ir/hazard_words.h"
#include "ir/implied_barriers.h"
#include "verify/roles.h"

const swp_role_about swp_verify_role_about_nothing = {
    .value = -1, .wanted = SWP_NO_TILE, .found = SWP_NO_TILE};

/* An entry that published lists have. */
static const char *name_at(const swp_role_judge *judge, swp_entry_ref at)
{
    const swp_entry_list *list =
        swp_stream_phase(&judge->run->program->schedule->streams[0], at.phase);
    int number = -1;
    for (size_t i = 0; i < list->count; i++) {
        number += !swp_ir_is_implied(&list->items[i].op);
        if (number == at.entry)
            return swp_schedule_op_name(judge->model->schedule, list->items[i].op.tag);
    }
    return NULL;
}

swp_status swp_verify_role_word(const swp_role_judge *judge, swp_hazard *hazard,
                                swp_role_about about)
{
    swp_hazard_words words = {.kind = hazard->kind,
                              .is_of_loop = true,
                              .wanted = (int)about.wanted,
                              .found = (int)about.found,
                              .op = about.op,
                              .other = hazard->other,
                              .passes = hazard->passes_before};
    if (about.value >= 0) {
        swp_verify_role_set_place(judge, hazard, about.value, about.version);
        words.makers = judge->model->values[about.value].makers;
    }
    if (hazard->has_other)
        words.other_op = name_at(judge, hazard->other);
    return swp_ir_hazard_detail(judge->ctx, &words, (char **)&hazard->detail);
}
