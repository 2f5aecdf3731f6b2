// SPDX-License-Identifier: Apache-2.0
// Kernels of clusters without a piece of what holds their work groups together: the emulation says what is wrong, or the result is.
#include "omissions.h"
#include "../../../kernels/cuda/hopper/swp_kernels.h"
#include "emulator.h"

#include <cuda_bf16.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace
{

const char *const WRONG = "a sum is wrong";

// A block for each work group, more iterations than slots.
enum { ROWS = 256, COLUMNS = 256, DEPTH = 640, STEP = 64 };

struct operand {
    std::vector<__nv_bfloat16> storage;
    __nv_bfloat16 *at;

    explicit operand(int elements)
        : storage(size_t(elements) + 8),
          at(storage.data() + (16 - reinterpret_cast<uintptr_t>(storage.data()) % 16) % 16 / 2)
    {
    }
};

// B has other values in each iteration: what is of another one gives another sum.
void run_without(omission what, timing when, unsigned seed)
{
    emulator_set(when, seed, 2);
    emulator_omit(what);
    operand a(ROWS * DEPTH), b(COLUMNS * DEPTH), c(ROWS * COLUMNS);
    for (int i = 0; i < ROWS * DEPTH; i++)
        a.at[i] = __float2bfloat16_rn(1);
    for (int i = 0; i < COLUMNS * DEPTH; i++)
        b.at[i] = __float2bfloat16_rn(float(i % DEPTH / STEP));
    swp_gemm g = {};
    g.m = ROWS, g.n = COLUMNS, g.k = DEPTH;
    g.a = a.at, g.b = b.at, g.c = c.at;
    g.lda = g.ldb = DEPTH, g.ldc = COLUMNS;
    if (swp_gemm_variant("bf16_256_cluster", &g, nullptr) != cudaSuccess)
        std::printf("%s\n", swp_kernels_error());
    const float sum = STEP * (DEPTH / STEP) * (DEPTH / STEP - 1) / 2;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        if (__bfloat162float(c.at[i]) != sum) {
            std::printf("%s\n", WRONG);
            break;
        }
    std::fflush(stdout);
    std::_Exit(0);
}

// What it says, in a process of its own, as the emulation ends where it finds a fault.
std::string said_without(omission what, timing when, unsigned seed)
{
    int ends[2];
    if (pipe(ends) != 0)
        std::abort();
    std::fflush(stdout);
    const pid_t child = fork();
    if (child < 0)
        std::abort();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        run_without(what, when, seed);
    }
    close(ends[1]);
    std::string said;
    char buffer[256];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
        said.append(buffer, size_t(n));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? said : said + "killed by a signal";
}

} // namespace

int unnoticed_omissions(unsigned seed)
{
    static const struct {
        omission what;
        const char *name;
        std::vector<std::string> expected; // one of these is said; none: nothing is
        bool only_early; // what comes to another block too early is seen where it comes at once
    } cases[] = {
        {omission::none, "nothing", {}, false},
        {omission::remote_release, "arrivals at other blocks", {"all threads wait"}, false},
        {omission::remote_release_and_count,
         "arrivals at other blocks that are counted",
         {WRONG},
         true},
        {omission::multicast, "copies to other blocks", {"all threads wait"}, false},
        {omission::last_cluster_barrier,
         "a barrier of the cluster before the end",
         {"an access to a block that has ended", "a block ends with arrivals of others"},
         false},
        {omission::first_cluster_barrier,
         "a barrier of the cluster behind initialisation",
         {"an mbarrier that is not initialised", "that the cluster has not met to initialise"},
         false},
        {omission::init_fence, "a fence behind initialisation", {"without a fence"}, false},
    };
    int unnoticed = 0;
    for (const auto &c : cases)
        for (const timing when : {timing::early, timing::late, timing::random}) {
            if (c.only_early && when != timing::early)
                continue;
            const std::string said = said_without(c.what, when, seed);
            const bool right =
                c.expected.empty()
                    ? said.empty()
                    : std::any_of(c.expected.begin(), c.expected.end(), [&](const auto &words) {
                          return said.find(words) != std::string::npos;
                      });
            if (!right)
                std::printf("FAIL without %s, timing %d: said \"%s\"\n", c.name, int(when),
                            said.c_str());
            unnoticed += !right;
        }
    return unnoticed;
}
