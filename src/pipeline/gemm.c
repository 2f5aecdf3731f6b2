/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/gemm.h"

#include "pipeline/search.h"

typedef struct recogniser {
    const swp_loop *loop;
    const int *slots;
    swp_gemm *gemm;
    int *side; /* of each value: 1 + its number among the operands of its side; 0: none */
    int *channel;
    int count[2];
} recogniser;

static swp_space space_of(const recogniser *r, int value)
{
    return r->loop->values[value].space;
}

static bool is_mma(const recogniser *r, const swp_loop_op *op)
{
    return op->read_count == 2 && op->write_count == 0 && op->update_count == 1 &&
           op->reads[0].distance == 0 && op->reads[1].distance == 0 &&
           space_of(r, op->reads[0].value) == SWP_SPACE_REGISTERS &&
           space_of(r, op->reads[1].value) == SWP_SPACE_REGISTERS;
}

static bool is_fragment(const recogniser *r, const swp_loop_op *op)
{
    return op->read_count == 1 && op->write_count == 1 && op->update_count == 0 &&
           op->reads[0].distance == 0 && space_of(r, op->reads[0].value) == SWP_SPACE_SHARED &&
           space_of(r, op->writes[0]) == SWP_SPACE_REGISTERS;
}

static bool is_load(const recogniser *r, const swp_loop_op *op)
{
    return op->read_count == 0 && op->write_count == 1 && op->update_count == 0 &&
           space_of(r, op->writes[0]) == SWP_SPACE_SHARED;
}

/* The first operand of an MMA is a row of A, the second a column of B. */
static bool take_operand(recogniser *r, int channel, int value, int *number)
{
    if (r->side[value] == 0) {
        r->side[value] = ++r->count[channel];
        r->channel[value] = channel;
    }
    *number = r->side[value] - 1;
    return r->channel[value] == channel;
}

static const char *take_mma(recogniser *r, const swp_loop_op *op, swp_gemm_op *out)
{
    out->role = SWP_COMPUTE;
    if (!take_operand(r, 0, op->reads[0].value, &out->row) ||
        !take_operand(r, 1, op->reads[1].value, &out->subtile))
        return "a fragment is both a row of A and a column of B";
    return NULL;
}

/* What an op that hands a value on is follows from who takes it. */
static void take_access(recogniser *r, const swp_loop_op *op, swp_gemm_op *out)
{
    const int made = op->writes[0];
    const int place = out->role == SWP_GLOBAL_LOAD ? made : op->reads[0].value;
    out->value = place;
    out->channel = r->channel[made];
    out->subtile = r->side[made] - 1;
    if (out->role == SWP_FRAGMENT_LOAD) {
        r->side[place] = r->side[made];
        r->channel[place] = r->channel[made];
    }
}

static const char *take_all(recogniser *r)
{
    const swp_loop *loop = r->loop;
    swp_gemm_op *ops = r->gemm->ops;
    for (size_t i = 0; i < loop->op_count; i++) {
        const swp_loop_op *op = &loop->ops[i];
        if (is_mma(r, op)) {
            const char *why = take_mma(r, op, &ops[i]);
            if (why)
                return why;
        } else if (is_fragment(r, op)) {
            ops[i].role = SWP_FRAGMENT_LOAD;
        } else if (is_load(r, op)) {
            ops[i].role = SWP_GLOBAL_LOAD;
        } else {
            return "an op is neither a load to shared memory, nor a fragment load, nor an MMA of "
                   "two fragments";
        }
    }
    for (size_t i = loop->op_count; i-- > 0;)
        if (ops[i].role == SWP_FRAGMENT_LOAD)
            take_access(r, &loop->ops[i], &ops[i]);
    for (size_t i = 0; i < loop->op_count; i++)
        if (ops[i].role == SWP_GLOBAL_LOAD)
            take_access(r, &loop->ops[i], &ops[i]);
    return NULL;
}

static bool same_job(const swp_gemm_op *a, const swp_gemm_op *b)
{
    return a->role == b->role && a->channel == b->channel && a->subtile == b->subtile &&
           a->row == b->row;
}

/* One load and one fragment of each operand, one MMA and accumulator for each pair. */
static const char *check_grid(const recogniser *r)
{
    const swp_loop *loop = r->loop;
    const swp_gemm_op *ops = r->gemm->ops;
    int mmas = 0;
    for (size_t i = 0; i < loop->op_count; i++) {
        if (ops[i].role != SWP_COMPUTE && ops[i].subtile < 0)
            return "a load or a fragment that no MMA uses";
        mmas += ops[i].role == SWP_COMPUTE;
        for (size_t j = 0; j < i; j++)
            if (same_job(&ops[i], &ops[j]) ||
                (ops[i].role == SWP_COMPUTE && ops[j].role == SWP_COMPUTE &&
                 loop->ops[i].updates[0] == loop->ops[j].updates[0]))
                return "two ops for one operand or accumulator";
    }
    if (mmas == 0 || mmas != r->count[0] * r->count[1] ||
        (int)loop->op_count != mmas + 2 * (r->count[0] + r->count[1]))
        return "the MMAs do not cover a grid of rows and columns, once each";
    for (size_t v = 0; v < loop->value_count; v++)
        if (loop->values[v].space == SWP_SPACE_REGISTERS && r->slots[v] != 1)
            return "a fragment or accumulator in more than one register slot";
    return NULL;
}

swp_status swp_pipeline_gemm_recognise(swp_context *ctx, const swp_loop *loop, const int *slots,
                                       swp_gemm *out)
{
    recogniser r = {.loop = loop, .slots = slots, .gemm = out};
    *out = (swp_gemm){0};
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &out->ops));
    SWP_TRY(SWP_TAKE(ctx, loop->value_count, &r.side));
    SWP_TRY(SWP_TAKE(ctx, loop->value_count, &r.channel));
    out->why_not = take_all(&r);
    if (!out->why_not)
        out->why_not = check_grid(&r);
    out->rows = r.count[0];
    out->columns = r.count[1];
    return SWP_OK;
}

typedef struct aligner {
    const swp_gemm *gemm;
    const swp_pipeline *pipeline;
    int64_t cut; /* row at which an iteration begins */
    int *stage;
} aligner;

static int64_t row(const aligner *a, int op)
{
    const int64_t interval = a->pipeline->answer.value;
    return (a->pipeline->answer.times[op] % interval - a->cut + interval) % interval;
}

static int64_t divide_up(int64_t a, int64_t b)
{
    return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

static bool raise(int *stage, int64_t to)
{
    if (to <= *stage)
        return false;
    *stage = (int)to;
    return true;
}

/* One round over the edges, and over the MMAs, which are in one stage. */
static bool push_stages(aligner *a)
{
    const swp_problem *problem = &a->pipeline->problem.problem;
    const int64_t interval = a->pipeline->answer.value;
    bool moved = false;
    for (size_t i = 0; i < problem->edge_count; i++) {
        const swp_problem_edge *e = &problem->edges[i];
        const int64_t apart =
            divide_up(e->delay + row(a, e->producer) - row(a, e->consumer), interval);
        moved |= raise(&a->stage[e->consumer], a->stage[e->producer] + apart - e->distance);
    }
    int last = 0;
    for (size_t i = 0; i < a->pipeline->loop->op_count; i++)
        last = a->gemm->ops[i].role == SWP_COMPUTE && a->stage[i] > last ? a->stage[i] : last;
    for (size_t i = 0; i < a->pipeline->loop->op_count; i++)
        if (a->gemm->ops[i].role == SWP_COMPUTE)
            moved |= raise(&a->stage[i], last);
    return moved;
}

/* The stages with this cut; 0: there are none. */
static int count_stages(aligner *a)
{
    const size_t count = a->pipeline->loop->op_count;
    int last = 0;
    for (size_t i = 0; i < count; i++)
        a->stage[i] = 0;
    size_t rounds = 0;
    while (push_stages(a))
        if (++rounds > 2 * count)
            return 0;
    for (size_t i = 0; i < count; i++)
        if (a->gemm->ops[i].role == SWP_COMPUTE)
            last = a->stage[i];
    for (size_t i = 0; i < count; i++)
        if (a->stage[i] > last)
            return 0;
    return last + 1;
}

static swp_status apply(swp_context *ctx, aligner *a, int stages, swp_pipeline *pipeline)
{
    int64_t *times = NULL;
    SWP_TRY(SWP_TAKE(ctx, pipeline->loop->op_count, &times));
    count_stages(a);
    for (size_t i = 0; i < pipeline->loop->op_count; i++)
        times[i] = a->stage[i] * pipeline->answer.value + row(a, (int)i);
    pipeline->answer.times = times;
    pipeline->stage = a->stage;
    if (stages > pipeline->stages)
        pipeline->proven[SWP_LEAST_STAGES] = false;
    pipeline->stages = stages;
    return SWP_OK;
}

swp_status swp_pipeline_gemm_align(swp_context *ctx, const swp_gemm *gemm, swp_pipeline *pipeline,
                                   bool *done)
{
    aligner a = {.gemm = gemm, .pipeline = pipeline};
    int least = 0;
    int64_t best = 0;
    SWP_TRY(SWP_TAKE(ctx, pipeline->loop->op_count, &a.stage));
    for (size_t i = 0; i < pipeline->loop->op_count; i++) {
        a.cut = pipeline->answer.times[i] % pipeline->answer.value;
        const int stages = count_stages(&a);
        if (stages > 0 && (least == 0 || stages < least)) {
            least = stages;
            best = a.cut;
        }
    }
    *done = least > 0;
    a.cut = best;
    return *done ? apply(ctx, &a, least, pipeline) : SWP_OK;
}

/* The problem with these slots, and every MMA less than an interval after every other one. */
static swp_status add_gathering(swp_context *ctx, const swp_gemm *gemm, const swp_loop *loop,
                                const int *slots, swp_loop_problem *out)
{
    struct {
        swp_problem_edge *items;
        size_t count;
        size_t capacity;
    } edges = {0};
    SWP_TRY(swp_loop_dependences(ctx, loop, slots, out));
    for (size_t i = 0; i < out->problem.edge_count; i++)
        SWP_TRY(SWP_PUSH(ctx, &edges, out->problem.edges[i]));
    for (int i = 0; i < (int)loop->op_count; i++)
        for (int j = 0; j < (int)loop->op_count; j++) {
            const swp_problem_edge within = {i, j, 1, 1};
            if (i != j && gemm->ops[i].role == SWP_COMPUTE && gemm->ops[j].role == SWP_COMPUTE)
                SWP_TRY(SWP_PUSH(ctx, &edges, within));
        }
    out->problem.edges = edges.items;
    out->problem.edge_count = edges.count;
    return SWP_OK;
}

static swp_status solve_gathered(swp_context *ctx, const swp_gemm *gemm, const int *slots,
                                 swp_pipeline *pipeline, swp_answer *answer)
{
    swp_loop_problem problem;
    SWP_TRY(add_gathering(ctx, gemm, pipeline->loop, slots, &problem));
    pipeline->solved++;
    return swp_pipeline_solve_rest(ctx, &problem.problem, &pipeline->work, answer);
}

/* Takes the times of an answer, and the slots that they need. */
static swp_status take_answer(swp_context *ctx, const swp_answer *answer, swp_pipeline *pipeline)
{
    const swp_loop *loop = pipeline->loop;
    const bool same_interval = answer->value == pipeline->answer.value;
    int *slots = NULL;
    SWP_TRY(SWP_TAKE(ctx, loop->value_count, &slots));
    for (int v = 0; v < (int)loop->value_count; v++)
        slots[v] = swp_ir_loop_needed_slots(loop, v, answer->times, answer->value);
    for (int space = 0; space < 2; space++) {
        int64_t bytes = 0;
        for (size_t v = 0; v < loop->value_count; v++)
            bytes +=
                loop->values[v].space == (swp_space)space ? loop->values[v].bytes * slots[v] : 0;
        const swp_objective objective = space == 0 ? SWP_LEAST_SHARED : SWP_LEAST_REGISTERS;
        pipeline->proven[objective] =
            pipeline->proven[objective] && same_interval && bytes <= pipeline->bytes[space];
        pipeline->bytes[space] = bytes;
    }
    pipeline->interval_proven = pipeline->interval_proven && same_interval;
    pipeline->gathering = answer->value - pipeline->answer.value;
    pipeline->proven[SWP_LEAST_STAGES] = false;
    pipeline->slots = slots;
    pipeline->answer.times = answer->times;
    pipeline->answer.value = answer->value;
    if (pipeline->answer.bound != answer->value)
        pipeline->answer.status = SWP_ANSWER_FEASIBLE;
    return swp_loop_dependences(ctx, loop, slots, &pipeline->problem);
}

swp_status swp_pipeline_gemm_gather(swp_context *ctx, const swp_gemm *gemm, swp_pipeline *pipeline,
                                    bool *done)
{
    const swp_loop *loop = pipeline->loop;
    swp_answer same = {0};
    swp_answer more = {0};
    int *most = NULL;
    SWP_TRY(solve_gathered(ctx, gemm, pipeline->slots, pipeline, &same));
    *done = same.times != NULL;
    if (*done && same.value <= pipeline->answer.value)
        return take_answer(ctx, &same, pipeline);
    SWP_TRY(SWP_TAKE(ctx, loop->value_count, &most));
    for (int v = 0; v < (int)loop->value_count; v++)
        most[v] = loop->values[v].space == SWP_SPACE_SHARED ? swp_ir_loop_most_slots(loop, v)
                                                            : pipeline->slots[v];
    if (loop->shared_budget == 0) {
        SWP_TRY(solve_gathered(ctx, gemm, most, pipeline, &more));
        if (more.times && (!*done || more.value < same.value))
            same = more;
    }
    *done = same.times != NULL;
    return *done ? take_answer(ctx, &same, pipeline) : SWP_OK;
}
