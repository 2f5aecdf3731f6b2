/* SPDX-License-Identifier: Apache-2.0 */
/* Phase recipes and those of the single buffer (docs/schedules.md, "Single buffer"). */
#include "base/context.h"
#include "base/diag.h"
#include "base/names.h"
#include "base/require.h"
#include "swp/phase.h"

#define EMIT(emitted_role, selection, first)                                                       \
    {                                                                                              \
        .kind = SWP_STEP_EMIT, .role = (emitted_role), .select = (selection),                      \
        .first_only = (first)                                                                      \
    }
#define BARRIER                                                                                    \
    {                                                                                              \
        .kind = SWP_STEP_BARRIER                                                                   \
    }
#define FENCE                                                                                      \
    {                                                                                              \
        .kind = SWP_STEP_FENCE                                                                     \
    }

static const swp_phase_step single_buffer_prologue[] = {
    EMIT(SWP_GLOBAL_LOAD, SWP_SELECT_ALL, true),
    EMIT(SWP_SHARED_STORE, SWP_SELECT_ALL, true),
    BARRIER,
    EMIT(SWP_GLOBAL_LOAD, SWP_SELECT_ALL, true),
    EMIT(SWP_FRAGMENT_LOAD, SWP_SELECT_LOOP_CARRIED, false),
    FENCE,
};

/* Two passes that load nothing: the last store, then the last tile. */
static const swp_phase_step single_buffer_epilogue[] = {
    FENCE,
    EMIT(SWP_FRAGMENT_LOAD, SWP_SELECT_NOT_LOOP_CARRIED, false),
    BARRIER,
    EMIT(SWP_SHARED_STORE, SWP_SELECT_ALL, true),
    EMIT(SWP_COMPUTE, SWP_SELECT_ALL, false),
    FENCE,
    BARRIER,
    EMIT(SWP_FRAGMENT_LOAD, SWP_SELECT_ALL, false),
    EMIT(SWP_COMPUTE, SWP_SELECT_ALL, false),
    FENCE,
};

const swp_phase_step *swp_single_buffer_prologue_recipe(size_t *count)
{
    SWP_REQUIRE_OR(NULL, count);
    *count = SWP_COUNT_OF(single_buffer_prologue);
    return single_buffer_prologue;
}

const swp_phase_step *swp_single_buffer_epilogue_recipe(size_t *count)
{
    SWP_REQUIRE_OR(NULL, count);
    *count = SWP_COUNT_OF(single_buffer_epilogue);
    return single_buffer_epilogue;
}

static bool selects(const swp_phase_step *step, const swp_op *op, const swp_pipeline_config *config)
{
    const bool carried =
        config->loop_carried.role != SWP_ROLE_NONE && op->subtile == config->loop_carried.selector;
    if (op->role != step->role)
        return false;
    switch (step->select) {
    case SWP_SELECT_LOOP_CARRIED:
        return carried;
    case SWP_SELECT_NOT_LOOP_CARRIED:
        return !carried;
    case SWP_SELECT_SUBTILE:
        return op->subtile == step->subtile;
    case SWP_SELECT_ALL:
        break;
    }
    return true;
}

/* A step that names particular ops must find one; "all others" may be none. */
static bool must_find(const swp_phase_step *step)
{
    return step->first_only || step->select != SWP_SELECT_NOT_LOOP_CARRIED;
}

static swp_status emit_ops(swp_entry_builder *out, const swp_phase_step *step, const swp_op *body,
                           size_t count, const swp_pipeline_config *config)
{
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        if (!selects(step, &body[i], config))
            continue;
        found = true;
        SWP_TRY(swp_entry_builder_emit(out, body[i], false));
        if (step->first_only)
            break;
    }
    if (found || !must_find(step))
        return SWP_OK;
    return swp_error(out->ctx, SWP_E0507, SWP_NOWHERE,
                     "the single-buffer loop needs a load, a store, a loop-carried fragment and a "
                     "COMPUTE",
                     "the %s needs an op of kind %s%s, but the body has none",
                     swp_phase_name(out->phase), swp_role_name(step->role),
                     step->select == SWP_SELECT_LOOP_CARRIED ? " that is loop-carried" : "");
}

swp_status swp_apply_phase_recipe(swp_context *ctx, const swp_phase_step *recipe, size_t steps,
                                  const swp_op *body, size_t count,
                                  const swp_pipeline_config *config, swp_phase phase,
                                  swp_entry_list *entries)
{
    SWP_REQUIRE(ctx, ctx && (recipe || steps == 0) && (body || count == 0) && config && entries);
    swp_entry_builder out = swp_entry_builder_new(ctx, phase);
    for (size_t i = 0; i < steps; i++) {
        if (recipe[i].kind == SWP_STEP_EMIT)
            SWP_TRY(emit_ops(&out, &recipe[i], body, count, config));
        else
            SWP_TRY(swp_entry_builder_emit(
                &out,
                recipe[i].kind == SWP_STEP_BARRIER ? swp_op_barrier() : swp_op_schedule_barrier(),
                false));
    }
    *entries = out.entries;
    return SWP_OK;
}
