/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least programs for the rules by which the machine of the proof retires or orders something without a wait
 * (docs/verification.md), and for orders that are no rule. Each counts how often a thread finds what it must not
 * find if the order is kept. `run` also disassembles them.
 *
 * A slow copy is one from memory that no cache holds, a fast load one from a line that was just read.
 */
#include "barrier_rules.h"
#include "copy_rules.h"
#include "engine_rules.h"
#include "register_rules.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

/* A rule, which nothing may break; or an order that is no rule, which may be seen broken. */
enum verdict { RULE, NO_RULE };

#define RULES(X)                                                                                   \
    X(use_of_loaded_register, RULE)                                                                \
    X(use_retires_older_copy, NO_RULE)                                                             \
    X(overwrite_of_stored_register, RULE)                                                          \
    X(overwrite_retires_older_copy, NO_RULE)                                                       \
    X(overwrite_of_loading_register, RULE)                                                         \
    X(overwrite_of_loading_retires_copy, NO_RULE)                                                  \
    X(wait_retires_older_group, RULE)                                                              \
    X(wait_too_weak, NO_RULE)                                                                      \
    X(many_groups_few_left, RULE)                                                                  \
    X(many_groups_many_left, RULE)                                                                 \
    X(wait_and_barrier, RULE)                                                                      \
    X(wait_without_barrier, NO_RULE)                                                               \
    X(barrier_retires_copy, NO_RULE)                                                               \
    X(barrier_after_store, RULE)                                                                   \
    X(named_barrier_after_store, RULE)                                                             \
    X(no_barrier_after_store, NO_RULE)                                                             \
    X(barrier_before_store, RULE)                                                                  \
    X(barrier_before_copy, RULE)                                                                   \
    X(named_barrier_before_copy, RULE)                                                             \
    X(no_barrier_before_copy, NO_RULE)                                                             \
    X(shared_in_order, RULE)                                                                       \
    X(copy_then_read, NO_RULE)                                                                     \
    X(registers_of_mma, RULE)                                                                      \
    X(mbarrier_retires_copy, RULE)                                                                 \
    X(no_mbarrier_wait, NO_RULE)                                                                   \
    X(wgmma_wait_and_barrier, RULE)                                                                \
    X(barrier_retires_wgmma, NO_RULE)

static const struct {
    const char *name;
    void (*run)(arguments);
    verdict is;
} rules[] = {
#define ROW(name, is) {#name, name, is},
    RULES(ROW)
#undef ROW
};

static __global__ void fill(uint4 *cold, size_t count)
{
    for (size_t c = size_t(blockIdx.x) * blockDim.x + threadIdx.x; c < count;
         c += size_t(gridDim.x) * blockDim.x) {
        const uint32_t number = uint32_t(c) + 1;
        cold[c] = make_uint4(number, number, number, number);
    }
}

static void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "rules: %s: %s\n", what, cudaGetErrorString(error));
    exit(2);
}

/* What LAUNCHES launches found wrong. */
static unsigned long long wrong_of(void (*run)(arguments), arguments a, int launches)
{
    unsigned long long sum = 0;
    must(cudaMemset(a.wrong, 0, sizeof sum), "count");
    for (int i = 0; i < launches; i++) {
        a.seed = uint32_t(i) * 977;
        run<<<BLOCKS, THREADS>>>(a);
    }
    must(cudaDeviceSynchronize(), "kernel");
    must(cudaMemcpy(&sum, a.wrong, sizeof sum, cudaMemcpyDeviceToHost), "count");
    return sum;
}

static bool is_asked_for(const char *name, int argc, char **argv)
{
    for (int i = 2; i < argc; i++)
        if (!strcmp(name, argv[i]))
            return true;
    return argc <= 2;
}

/* usage: rules [LAUNCHES [NAME...]]. Fails if a rule is broken. */
int main(int argc, char **argv)
{
    const int launches = argc > 1 ? atoi(argv[1]) : 200;
    const size_t count = size_t(ROUNDS + 1) * CHUNKS * BLOCKS * THREADS;
    void *cold, *out, *wrong;
    must(cudaMalloc(&cold, count * sizeof(uint4)), "cold memory");
    must(cudaMalloc(&out, size_t(BLOCKS) * THREADS * sizeof(uint4)), "out");
    must(cudaMalloc(&wrong, sizeof(unsigned long long)), "count");
    fill<<<1024, 256>>>(static_cast<uint4 *>(cold), count);
    const arguments a = {static_cast<const uint4 *>(cold), static_cast<uint4 *>(out),
                         static_cast<unsigned long long *>(wrong), 0};
    int status = 0;
    printf("%-36s %9s %12s\n", "program", "launches", "wrong");
    for (const auto &rule : rules) {
        if (!is_asked_for(rule.name, argc, argv))
            continue;
        const unsigned long long sum = wrong_of(rule.run, a, launches);
        const bool is_broken = rule.is == RULE && sum != 0;
        status |= is_broken;
        printf("%-36s %9d %12llu  %s\n", rule.name, launches, sum,
               is_broken         ? "BROKEN"
               : rule.is == RULE ? "holds"
               : sum             ? "no rule: seen"
                                 : "no rule: not seen");
        fflush(stdout);
    }
    return status;
}
