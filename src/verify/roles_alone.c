/* SPDX-License-Identifier: Apache-2.0 */
/* Finds values and objects that one thread alone has to do with: it has all of their moments in its own list. */
#include "verify/roles_cuts.h"

typedef struct askers {
    const swp_role_model *model;
    int *threads; /* of each kind of moments: who asks, or one of these */
    bool *alone;
    int *arrivers;
} askers;

enum { SEVERAL = -1, NOBODY = -2 };

static void ask(const askers *a, int kind, int instance, const swp_happens_step *step)
{
    const int thread = swp_happens_thread_of(instance, 0);
    a->alone[kind] &= swp_happens_threads_of(step) == 1 &&
                      (a->threads[kind] == NOBODY || a->threads[kind] == thread);
    a->threads[kind] = thread;
}

static void arrive(const askers *a, int instance, const swp_happens_step *step)
{
    int *arriver = &a->arrivers[step->op->object];
    const int thread = swp_happens_thread_of(instance, 0);
    const bool is_one =
        swp_happens_threads_of(step) == 1 && (*arriver == NOBODY || *arriver == thread);
    *arriver = is_one ? thread : SEVERAL;
}

static void ask_all(const askers *a, int instance, const swp_happens_step *step)
{
    const int values = (int)a->model->loop->value_count;
    const swp_role_op *op = step->work ? &a->model->ops[swp_loop_op_of_tag(step->op->tag)] : NULL;
    if (step->op->object >= 0)
        ask(a, values + step->op->object, instance, step);
    if (step->op->object >= 0 && !swp_happens_waits_for_phase(step->op))
        arrive(a, instance, step);
    for (int t = 0; op && t < op->operand_count; t++)
        ask(a, op->operands[t].value, instance, step);
}

static void ask_program(const askers *a, const swp_happens_program *p)
{
    for (int i = 0; i < p->count; i++)
        for (swp_phase list = SWP_PROLOGUE; list <= SWP_DRAIN; list++)
            for (int k = 0; k < p->instances[i].lengths[list]; k++) {
                const swp_happens_step step = swp_happens_step_in(p, &p->instances[i], list, k, 0);
                ask_all(a, i, &step);
            }
}

swp_status swp_verify_role_find_alone(swp_context *ctx, const swp_role_model *model,
                                      swp_happens_tiles *tiles)
{
    const size_t kinds = model->loop->value_count + model->schedule->object_count + 1;
    askers a = {.model = model};
    SWP_TRY(SWP_TAKE(ctx, kinds, &a.threads));
    SWP_TRY(SWP_TAKE(ctx, kinds, &a.alone));
    SWP_TRY(SWP_TAKE(ctx, model->schedule->object_count, &a.arrivers));
    for (size_t object = 0; object < model->schedule->object_count; object++)
        a.arrivers[object] = NOBODY;
    for (size_t kind = 0; kind < kinds; kind++) {
        a.threads[kind] = NOBODY;
        a.alone[kind] = kind + 1 < kinds;
    }
    for (int f = 0; f < tiles->form_count; f++)
        ask_program(&a, &tiles->programs[f]);
    tiles->alone = a.alone;
    tiles->arrivers = a.arrivers;
    return SWP_OK;
}
