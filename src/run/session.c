/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes the scratch memory of runs. */
#include "run/session.h"

#include "ir/roles.h"
#include "ir/schedule.h"
#include "run/outcome.h"

swp_status swp_run_open(swp_context *ctx, const swp_schedule *schedule, int n, int waves_per_group,
                        uint64_t seed, swp_run_session *out)
{
    *out = (swp_run_session){.scratch = *ctx};
    out->scratch.arena = NULL;
    const bool has_roles = swp_ir_has_roles(schedule);
    if (has_roles)
        SWP_TRY(swp_ir_check_role_loop(ctx, schedule));
    else
        SWP_TRY(swp_schedule_check_loop(ctx, schedule));
    const int form = swp_schedule_form_of(schedule, n);
    out->form = form < 0 ? *schedule : swp_schedule_form(schedule, form);
    SWP_TRY(swp_run_check(ctx, &out->form, n));
    out->scratch.arena = swp_arena_new(&ctx->arena->allocator);
    if (!out->scratch.arena)
        return swp_out_of_memory(ctx);
    SWP_TRY(swp_run_unroll(&out->scratch, schedule, &out->form, n, waves_per_group, &out->program));
    if (has_roles)
        return swp_run_roles_new(&out->scratch, &out->program, seed, &out->outcome, &out->roles);
    return swp_run_machine_new(&out->scratch, &out->program, seed, &out->outcome, &out->machine);
}

swp_status swp_run_judge_session(swp_run_session *session)
{
    return session->program.sharing ? swp_run_roles_judge(&session->roles)
                                    : swp_run_judge(&session->machine);
}

void swp_run_close(swp_run_session *session)
{
    swp_arena_free(session->scratch.arena);
}
