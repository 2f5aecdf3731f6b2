/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the node of a cut, and lowers it to what is known in all of its cuts. */
#include "verify/roles_common_order.h"

static swp_status add_node(swp_role_interpreter *in, swp_role_cut cut, const swp_role_state *clocks,
                           const swp_role_look *from)
{
    const size_t instances = (size_t)in->tiles->programs[0].count;
    swp_role_cut_node added = {.cut = cut, .is_less = from && from->is_less, .is_open = true};
    SWP_TRY(SWP_TAKE(in->scratch, instances, &added.asked));
    for (size_t i = 0; from && i < instances; i++)
        added.asked[i] = from->progress.judged[0].steps[i];
    cut.node = (int)in->nodes.count;
    SWP_TRY(SWP_TAKE(in->scratch, clocks->count, &added.known));
    for (size_t i = 0; i < clocks->count; i++)
        added.known[i] = clocks->items[i];
    SWP_TRY(SWP_PUSH(in->scratch, &in->nodes, added));
    return swp_verify_role_put_cut(in->scratch, &in->open, cut);
}

static swp_status join(swp_role_interpreter *in, int number, const swp_role_state *clocks)
{
    swp_role_cut_node *n = &in->nodes.items[number];
    bool less = false;
    for (size_t i = 0; i < clocks->count; i++) {
        less |= clocks->items[i] < n->known[i];
        n->known[i] = clocks->items[i] < n->known[i] ? clocks->items[i] : n->known[i];
    }
    n->is_less |= less;
    if (!less || n->is_open)
        return SWP_OK;
    n->is_open = true;
    swp_role_cut again = n->cut;
    again.node = number;
    return swp_verify_role_put_cut(in->scratch, &in->open, again);
}

swp_status swp_verify_role_arrive(swp_role_interpreter *in, const swp_role_look *from,
                                  const swp_role_cut *cut, swp_role_judge *judge, bool *is_first)
{
    swp_role_state state = {0};
    swp_role_state clocks = {0};
    int number = 0;
    SWP_TRY(swp_verify_role_state(judge, &state, &clocks));
    SWP_TRY(SWP_PUSH(judge->run->ctx, &state, (int)clocks.count));
    SWP_TRY(SWP_PUSH(judge->run->ctx, &state, -1)); /* no zeros at the end */
    SWP_TRY(swp_key_index_number(in->scratch, &in->states, state.items,
                                 state.count * sizeof *state.items, (int)in->nodes.count, &number));
    *is_first = number == (int)in->nodes.count;
    return *is_first ? add_node(in, *cut, &clocks, from) : join(in, number, &clocks);
}
