/* SPDX-License-Identifier: Apache-2.0 */
#include "explorer.h"

#include <stdlib.h>

#include "explorer_choice.h"
#include "explorer_report.h"
#include "swp/run.h"

/* The moments from which executions still have to be followed. */
typedef struct state_stack {
    state *items;
    size_t count;
    size_t capacity;
} state_stack;

static void push(state_stack *stack, const state *s)
{
    if (stack->count == stack->capacity) {
        stack->capacity = stack->capacity ? 2 * stack->capacity : 64;
        stack->items = realloc(stack->items, stack->capacity * sizeof(*stack->items));
        if (!stack->items)
            abort();
    }
    stack->items[stack->count++] = *s;
}

typedef struct search {
    step_list *list;
    const explorer_options *options;
    focus focus;
    chooser chooser;
    state_set seen;
    state_stack open;
    bool too_big;
} search;

static int list_choices(search *x, const state *s, move *moves)
{
    const int count = list_moves(x->list, s, !x->options->every_order, moves);
    return x->options->every_order ? count : choose_moves(&x->chooser, s, moves, count);
}

static void branch(search *x, const state *s, const move *moves, int count)
{
    if (!state_set_add(&x->seen, s))
        return;
    for (int i = 0; i < count; i++) {
        state after = *s;
        take_move(x->list, &x->focus, &after, moves[i]);
        push(&x->open, &after);
    }
}

/* Follows an execution to its end or to a moment with a choice. */
static void follow(search *x, state s)
{
    move moves[MOST_MOVES];
    for (;;) {
        if (!advance(x->list, &x->focus, &s, !x->options->every_order)) {
            x->too_big = true;
            return;
        }
        const int count = list_choices(x, &s, moves);
        if (count == 0)
            note_stuck(x->list, &s);
        else if (count > 1)
            branch(x, &s, moves, count);
        if (count != 1)
            return;
        take_move(x->list, &x->focus, &s, moves[0]);
    }
}

/* Every execution for one number of tiles, with an eye on one thing. */
static void explore(step_list *list, focus eye, const explorer_options *options, exploration *out)
{
    search x = {.list = list, .options = options, .focus = eye};
    const state start = {0};
    x.chooser = chooser_new(list, &x.focus);
    push(&x.open, &start);
    while (x.open.count > 0 && !x.too_big) {
        follow(&x, x.open.items[--x.open.count]);
        x.too_big |= x.seen.count > options->most_states;
    }
    out->states += x.seen.count;
    out->too_big |= x.too_big;
    state_set_free(&x.seen);
    free(x.open.items);
    chooser_free(&x.chooser);
}

/* The waves of a group can be exchanged, so the first one's share and registers stand for all. */
static void explore_each(step_list *list, const explorer_options *options, exploration *out)
{
    for (int wave = 0; wave < list->waves; wave += list->waves_per_group)
        for (int place = -1; place < list->places && !out->too_big; place++)
            explore(list, (focus){.wave = wave, .place = place}, options, out);
}

exploration explorer_judge(const swp_schedule *schedule, const explorer_options *options)
{
    exploration out = {0};
    for (int n = schedule->loop.min_tiles; n <= options->most_tiles && !out.too_big; n++) {
        if (!swp_loop_shape_takes(&schedule->loop, n))
            continue;
        step_list list;
        step_list_fill(&list, schedule, n);
        if (list.places > MOST_PLACES || list.waves > MOST_WAVES || list.writes > MOST_WRITES)
            out.too_big = true;
        else if (options->at_once)
            explore(&list, (focus){.everything = true}, options, &out);
        else
            explore_each(&list, options, &out);
        if (out.smallest_n == 0 && is_anything_wrong(&list, schedule))
            out.smallest_n = n;
        report_hazards(&list, schedule, &out.judged);
        step_list_free(&list);
    }
    return out;
}
