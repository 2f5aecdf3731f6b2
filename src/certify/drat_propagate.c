/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the watch lists of false literals to a fixpoint or a conflict, and takes assignments back. */
#include "certify/drat_propagate.h"

void swp_certify_assignment_undo(swp_assignment *assignment, size_t count)
{
    while (assignment->count > count) {
        const uint32_t code = assignment->trail[--assignment->count];
        assignment->values[code] = assignment->values[code ^ 1U] = 0;
    }
    assignment->propagated = count;
}

/*
 * Puts a literal that is not false in the place of the second one, which is; returns whether there
 * is such a literal.
 */
static bool replace_second(const signed char *values, uint32_t *literals, uint32_t size)
{
    for (uint32_t i = 2; i < size; i++) {
        if (values[literals[i]] >= 0) {
            const uint32_t code = literals[1];
            literals[1] = literals[i];
            literals[i] = code;
            return true;
        }
    }
    return false;
}

typedef enum visit { KEEP, DROP, CONFLICT, FAIL } visit;

/* Looks at a clause whose watched literal `code` has become false. */
static visit look_at(swp_drat_store *store, swp_assignment *assignment, uint32_t code,
                     swp_watch *watch)
{
    const signed char *values = assignment->values;
    if (swp_clause_is_dead(store, watch->clause))
        return DROP;
    uint32_t *literals = swp_clause_literals(store, watch->clause);
    if (literals[0] == code) {
        literals[0] = literals[1];
        literals[1] = code;
    }
    watch->blocker = literals[0];
    if (values[literals[0]] > 0)
        return KEEP;
    if (replace_second(values, literals, swp_clause_size(store, watch->clause)))
        return SWP_PUSH(&store->memory, &store->watches[literals[1]], *watch) == SWP_OK ? DROP
                                                                                        : FAIL;
    if (values[literals[0]] < 0)
        return CONFLICT;
    swp_assign(assignment, literals[0]);
    return KEEP;
}

/* Looks at all clauses that watch a literal that has become false. */
static visit visit_watches(swp_drat_store *store, swp_assignment *assignment, uint32_t code)
{
    swp_watch_list *list = &store->watches[code];
    size_t kept = 0;
    size_t i = 0;
    visit result = KEEP;
    while (i < list->count && (result == KEEP || result == DROP)) {
        swp_watch watch = list->items[i++];
        if (assignment->values[watch.blocker] > 0)
            result = KEEP;
        else
            result = look_at(store, assignment, code, &watch);
        if (result != DROP)
            list->items[kept++] = watch;
    }
    assignment->work += i;
    while (i < list->count)
        list->items[kept++] = list->items[i++];
    list->count = kept;
    return result;
}

swp_status swp_certify_propagate(swp_drat_store *store, swp_assignment *assignment, bool *conflict)
{
    *conflict = false;
    while (assignment->propagated < assignment->count) {
        const uint32_t code = assignment->trail[assignment->propagated++] ^ 1U;
        const visit result = visit_watches(store, assignment, code);
        if (result == FAIL)
            return SWP_OUT_OF_MEMORY;
        *conflict = result == CONFLICT;
        if (*conflict)
            return SWP_OK;
    }
    return SWP_OK;
}
