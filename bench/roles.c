/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Warp roles: time and memory of the pipeline's search, of the derivation, and of one proof of what it makes, for
 * rings of up to 16 slots, loops of more and more tiles, and the built-ins. The derivation is mostly proofs.
 */
#include "measure.h"

#include "swp/describe.h"

#include <stddef.h>

enum { RUNS = 3, MOST_TILES = 8 };

/* Bytes that are held now, and at most. */
typedef struct held {
    size_t now;
    size_t most;
} held;

typedef union header {
    size_t bytes;
    max_align_t align;
} header;

static void *held_allocate(void *user, size_t bytes)
{
    held *h = user;
    header *memory = malloc(sizeof *memory + bytes);
    if (!memory)
        return NULL;
    memory->bytes = bytes;
    h->now += bytes;
    if (h->now > h->most)
        h->most = h->now;
    return memory + 1;
}

static void held_release(void *user, void *memory)
{
    held *h = user;
    header *at = memory;
    if (!at)
        return;
    h->now -= at[-1].bytes;
    free(at - 1);
}

static swp_context *context_of(held *h)
{
    const swp_allocator allocator = {held_allocate, held_release, h};
    *h = (held){0};
    return swp_context_new(&allocator);
}

/* --- Loops --- */

typedef struct shape {
    const char *name;
    int tiles; /* copied an iteration, each multiplied by an op of its own */
    int slots;
    int instances;
    bool stored; /* the sum is staged and stored each iteration */
} shape;

static void add_tile(swp_loop_builder *b, const shape *s, int tile, int tma, int tensor, int sum)
{
    static const char *const values[MOST_TILES] = {"A", "B", "C", "D", "E", "F", "G", "H"};
    static const char *const copies[MOST_TILES] = {"COPY_A", "COPY_B", "COPY_C", "COPY_D",
                                                   "COPY_E", "COPY_F", "COPY_G", "COPY_H"};
    static const char *const mmas[MOST_TILES] = {"MMA_A", "MMA_B", "MMA_C", "MMA_D",
                                                 "MMA_E", "MMA_F", "MMA_G", "MMA_H"};
    const int value = swp_loop_add_value(b, (swp_loop_value_args){.name = values[tile],
                                                                  .space = SWP_SPACE_SHARED,
                                                                  .bytes = 1024,
                                                                  .least_slots = s->slots,
                                                                  .most_slots = s->slots});
    swp_loop_add_op(b, (swp_loop_op_args){.name = copies[tile],
                                          .latency = 700,
                                          .completion = SWP_COMPLETION_COPY_MBARRIER,
                                          .role = 1,
                                          .uses = {{.unit = tma, .cycles = 128}},
                                          .writes = {value}});
    swp_loop_add_op(b, (swp_loop_op_args){.name = mmas[tile],
                                          .latency = 300,
                                          .completion = SWP_COMPLETION_MATRIX_GROUP,
                                          .read_cycles = 256,
                                          .role = 2,
                                          .uses = {{.unit = tensor, .cycles = 256}},
                                          .reads = {{.value = value}},
                                          .updates = {sum},
                                          .update_latencies = {256}});
}

static void add_store(swp_loop_builder *b, int tma, int sum)
{
    const int staged = swp_loop_add_value(
        b, (swp_loop_value_args){.name = "S", .space = SWP_SPACE_SHARED, .bytes = 1024});
    swp_loop_add_op(b, (swp_loop_op_args){.name = "STAGE",
                                          .latency = 50,
                                          .completion = SWP_COMPLETION_NONE,
                                          .role = 2,
                                          .reads = {{.value = sum}},
                                          .writes = {staged}});
    swp_loop_add_op(b, (swp_loop_op_args){.name = "STORE",
                                          .latency = 300,
                                          .completion = SWP_COMPLETION_STORE_GROUP,
                                          .role = 2,
                                          .writes_global = true,
                                          .uses = {{.unit = tma, .cycles = 64}},
                                          .reads = {{.value = staged}}});
}

static swp_loop loop_of(swp_context *ctx, const shape *s)
{
    swp_loop loop;
    swp_loop_builder *b = swp_loop_new(ctx, s->name);
    const int tma = swp_loop_add_unit(b, "tma", 1);
    const int tensor = swp_loop_add_unit(b, "tensor", 1);
    swp_loop_add_role(b, (swp_loop_role){.name = "producer", .warps = 1, .instances = 1});
    swp_loop_add_role(b,
                      (swp_loop_role){.name = "consumer", .warps = 4, .instances = s->instances});
    const int sum = swp_loop_add_value(
        b, (swp_loop_value_args){.name = "SUM", .space = SWP_SPACE_REGISTERS, .bytes = 1024});
    for (int tile = 0; tile < s->tiles; tile++)
        add_tile(b, s, tile, tma, tensor, sum);
    if (s->stored)
        add_store(b, tma, sum);
    stop_on(s->name, swp_loop_done(b, &loop));
    return loop;
}

/* --- Measuring --- */

typedef struct measured {
    double seconds;
    size_t bytes;
} measured;

/* What a row is of: a loop of a shape, or a built-in. */
typedef struct subject {
    const char *name;
    swp_schedule *(*compile)(swp_context *ctx, const void *what);
    const void *what;
} subject;

static swp_schedule *compile_shape(swp_context *ctx, const void *what)
{
    const shape *s = what;
    const swp_loop loop = loop_of(ctx, s);
    const swp_loop_options options = {.target = "sm_90", .machine = swp_machine_default()};
    swp_schedule *schedule = NULL;
    stop_on(s->name, swp_compile_loop(ctx, &loop, &options, &schedule));
    return schedule;
}

typedef struct builtin {
    const char *name;
    bool persistent;
} builtin;

static swp_schedule *compile_builtin(swp_context *ctx, const void *what)
{
    const builtin *b = what;
    const swp_place nowhere = {NULL, 0, 0};
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    stop_on(b->name, swp_description_from_builtin(ctx, b->name, &description));
    if (b->persistent)
        stop_on(b->name, swp_description_set(ctx, description, "loop.persistent", "true", nowhere));
    stop_on(b->name, swp_description_compile(ctx, description, &schedule));
    return schedule;
}

static measured measure_search(const subject *s, const swp_loop *loop)
{
    double runs[RUNS];
    held h = {0};
    for (int i = 0; i < RUNS; i++) {
        swp_context *ctx = context_of(&h);
        swp_pipeline pipeline;
        const double began = processor_seconds_now();
        stop_on(s->name, swp_pipeline_loop(ctx, loop, &pipeline));
        runs[i] = processor_seconds_now() - began;
        swp_context_free(ctx);
    }
    return (measured){median(runs, RUNS), h.most};
}

/* With the search. */
static measured measure_compile(const subject *s)
{
    double runs[RUNS];
    held h = {0};
    for (int i = 0; i < RUNS; i++) {
        swp_context *ctx = context_of(&h);
        const double began = processor_seconds_now();
        swp_schedule *schedule = s->compile(ctx, s->what);
        runs[i] = processor_seconds_now() - began;
        swp_schedule_free(schedule);
        swp_context_free(ctx);
    }
    return (measured){median(runs, RUNS), h.most};
}

static measured measure_proof(const subject *s, const swp_schedule *schedule, swp_verdict *verdict)
{
    double runs[RUNS];
    held h = {0};
    for (int i = 0; i < RUNS; i++) {
        swp_context *ctx = context_of(&h);
        const double began = processor_seconds_now();
        stop_on(s->name, swp_verify(ctx, schedule, NULL, 0, verdict));
        runs[i] = processor_seconds_now() - began;
        swp_context_free(ctx);
    }
    return (measured){median(runs, RUNS), h.most};
}

static size_t kernel_entries(const swp_schedule *schedule)
{
    size_t count = 0;
    for (size_t i = 0; i < schedule->stream_count; i++)
        count += schedule->streams[i].kernel.count;
    return count;
}

static double megabytes(size_t bytes)
{
    return (double)bytes / 1e6;
}

static void print_row(const subject *s)
{
    held h = {0};
    swp_context *ctx = context_of(&h);
    swp_verdict verdict = {0};
    swp_schedule *schedule = s->compile(ctx, s->what);
    const measured search = measure_search(s, schedule->pipeline->loop);
    const measured compile = measure_compile(s);
    const measured proof = measure_proof(s, schedule, &verdict);
    (void)printf("%4zu entries a pass  search %8.1f ms  derive %9.1f ms %7.1f MB  proof %8.1f ms "
                 "%7.1f MB  %3d passes  %s\n",
                 kernel_entries(schedule), search.seconds * 1e3,
                 (compile.seconds - search.seconds) * 1e3, megabytes(compile.bytes),
                 proof.seconds * 1e3, megabytes(proof.bytes), verdict.passes_explored,
                 verdict.safe ? "safe" : "UNSAFE");
    (void)fflush(stdout);
    swp_schedule_free(schedule);
    swp_context_free(ctx);
}

int main(void)
{
    static const shape shapes[] = {
        {"ring", 1, 2, 2, false},   {"ring", 1, 4, 2, false},  {"ring", 1, 8, 2, false},
        {"ring", 1, 16, 2, false},  {"ring", 1, 16, 4, false}, {"stored", 1, 4, 2, true},
        {"stored", 1, 16, 2, true}, {"tiles", 2, 4, 2, false}, {"tiles", 4, 4, 2, false},
        {"tiles", 8, 4, 2, false},
    };
    static const builtin builtins[] = {
        {"gemm_ws", false}, {"gemm_ws", true}, {"attention_ws", false}, {"attention_ws", true}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const shape *s = &shapes[i];
        (void)printf("%-12s %d tiles, %2d slots, %d instances ", s->name, s->tiles, s->slots,
                     s->instances);
        print_row(&(subject){s->name, compile_shape, s});
    }
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        const builtin *b = &builtins[i];
        (void)printf("%-12s %-31s", b->name, b->persistent ? "with output tiles" : "");
        print_row(&(subject){b->name, compile_builtin, b});
    }
    return EXIT_SUCCESS;
}
