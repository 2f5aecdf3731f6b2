// SPDX-License-Identifier: Apache-2.0
// Kernels without a piece of what holds their threads or their work groups together: the emulation says what is wrong, or the result
// is. With SWP_FULL that is asked of all variants, else of one of a kind.
#include "omissions.h"
#include "../../../kernels/cuda/hopper/swp_kernels.h"
#include "emulator.h"

#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace
{

const char *const WRONG = "a result is wrong";

// A block for each work group, more iterations than slots.
enum { ROWS = 256, COLUMNS = 256, ITERATIONS = 10, QUERIES = 128, KEYS = 640, KEYS_OF_VALUE = 128 };

template <class T> struct operand {
    std::vector<T> storage;
    T *at;

    explicit operand(int elements, T filling = T{})
        : storage(size_t(elements) + 16, filling),
          at(storage.data() +
             (16 - reinterpret_cast<uintptr_t>(storage.data()) % 16) % 16 / sizeof(T))
    {
    }
};

__nv_bfloat16 integer(int value, __nv_bfloat16)
{
    return __float2bfloat16_rn(float(value));
}
__nv_fp8_e4m3 integer(int value, __nv_fp8_e4m3)
{
    static const uint8_t bits[] = {0x00, 0x38, 0x40, 0x44, 0x48, 0x4a, 0x4c, 0x4e, 0x50, 0x51};
    return {bits[value]};
}

template <class T> bool all_are(const operand<T> &found, int elements, float expected, float off)
{
    return std::all_of(found.at, found.at + elements,
                       [=](T x) { return std::fabs(__bfloat162float(x) - expected) <= off; });
}

// B has other values in each iteration: what is of another one gives another sum.
template <class T> bool multiplies(const char *variant)
{
    const int step = 128 / int(sizeof(T)), depth = step * ITERATIONS;
    operand<T> a(ROWS * depth, integer(1, T{})), b(COLUMNS * depth);
    operand<__nv_bfloat16> c(ROWS * COLUMNS);
    for (int i = 0; i < COLUMNS * depth; i++)
        b.at[i] = integer(i % depth / step, T{});
    swp_gemm g = {};
    g.m = ROWS, g.n = COLUMNS, g.k = depth;
    g.a = a.at, g.b = b.at, g.c = c.at;
    g.lda = g.ldb = depth, g.ldc = COLUMNS;
    if (swp_gemm_variant(variant, &g, nullptr) != cudaSuccess)
        std::printf("%s\n", swp_kernels_error());
    return all_are(c, ROWS * COLUMNS, float(step * ITERATIONS * (ITERATIONS - 1) / 2), 0);
}

// All keys weigh as much, and values grow with them.
bool attends(int dim)
{
    operand<__nv_bfloat16> q(QUERIES * dim), k(KEYS * dim), v(KEYS * dim), o(QUERIES * dim);
    for (int i = 0; i < KEYS * dim; i++)
        v.at[i] = integer(i / dim / KEYS_OF_VALUE, __nv_bfloat16{});
    swp_attention a = {};
    a.batches = a.heads = 1, a.queries = QUERIES, a.keys = KEYS, a.head_dim = dim;
    a.q = q.at, a.k = k.at, a.v = v.at, a.o = o.at;
    for (int64_t *strides : {a.q_strides, a.k_strides, a.v_strides, a.o_strides})
        std::fill(strides, strides + 3, dim);
    a.scale = 1;
    if (swp_attention_forward(&a, nullptr) != cudaSuccess)
        std::printf("%s\n", swp_kernels_error());
    return all_are(o, QUERIES * dim, float(KEYS / KEYS_OF_VALUE - 1) / 2, 0.02f);
}

bool is_right(const std::string &kernel)
{
    if (kernel.find("attention_") == 0)
        return attends(std::atoi(kernel.c_str() + std::strlen("attention_")));
    return kernel.find("bf16") == 0 ? multiplies<__nv_bfloat16>(kernel.c_str())
                                    : multiplies<__nv_fp8_e4m3>(kernel.c_str());
}

void run_without(omission what, const std::string &kernel, timing when, unsigned seed)
{
    emulator_set(when, seed, 2);
    emulator_omit(what);
    if (!is_right(kernel))
        std::printf("%s\n", WRONG);
    std::fflush(stdout);
    std::_Exit(0);
}

// What it says, in a process of its own, as the emulation ends where it finds a fault.
std::string said_without(omission what, const std::string &kernel, timing when, unsigned seed)
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
        run_without(what, kernel, when, seed);
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

bool is_cluster(const std::string &kernel)
{
    return kernel.find("cluster") != std::string::npos;
}
bool is_alone(const std::string &kernel)
{
    return !is_cluster(kernel);
}
bool stores_boxes(const std::string &kernel)
{
    return kernel.find("attention_") != 0;
}
bool is_any(const std::string &)
{
    return true;
}

const std::vector<timing> ALL_TIMINGS = {timing::early, timing::late, timing::random};

const struct omission_case {
    omission what;
    const char *name;
    std::vector<std::string> expected; // one of these is said; none: nothing is
    bool (*concerns)(const std::string &kernel);
    std::vector<timing> timings = ALL_TIMINGS; // in which it shows
} cases[] = {
    {omission::none, "nothing", {}, is_any},
    {omission::remote_release, "arrivals at other blocks", {"all threads wait"}, is_cluster},
    // What comes to another block too early is seen where it comes at once.
    {omission::remote_release_and_count,
     "arrivals at other blocks that are counted",
     {WRONG},
     is_cluster,
     {timing::early}},
    {omission::multicast, "copies to other blocks", {"all threads wait"}, is_cluster},
    {omission::last_cluster_barrier,
     "a barrier of the cluster before the end",
     {"an access to a block that has ended", "a block ends with arrivals of others"},
     is_cluster},
    {omission::first_cluster_barrier,
     "a barrier of the cluster behind initialisation",
     {"an mbarrier that is not initialised", "that the cluster has not met to initialise"},
     is_cluster},
    {omission::init_fence, "a fence behind initialisation", {"without a fence"}, is_cluster},
    {omission::release, "arrivals that release slots", {"all threads wait"}, is_alone},
    {omission::phase_wait,
     "waits for phases",
     {WRONG, "an arrival more than the phase has", "a block ends with"},
     is_any},
    // What is done at once needs no wait.
    {omission::matrix_wait,
     "waits for wgmmas",
     {WRONG, "all threads wait"},
     is_any,
     {timing::late}},
    {omission::store_wait,
     "waits for stores",
     {"a block ends with stores that still read"},
     stores_boxes},
};

std::vector<std::string> kernels_asked()
{
    if (!std::getenv("SWP_FULL"))
        return {"bf16_256_cluster", "e4m3_promoted_128", "attention_64"};
    std::vector<std::string> all = {"attention_64", "attention_128"};
    for (int i = 0; swp_gemm_variant_name(i); i++)
        all.emplace_back(swp_gemm_variant_name(i));
    return all;
}

bool is_noticed(const omission_case &c, const std::string &kernel, timing when, unsigned seed)
{
    const std::string said = said_without(c.what, kernel, when, seed);
    const auto was_said = [&](const std::string &words) {
        return said.find(words) != std::string::npos;
    };
    if (c.expected.empty() ? said.empty()
                           : std::any_of(c.expected.begin(), c.expected.end(), was_said))
        return true;
    std::printf("FAIL %s without %s, timing %d: said \"%s\"\n", kernel.c_str(), c.name, int(when),
                said.c_str());
    return false;
}

} // namespace

int unnoticed_omissions(unsigned seed)
{
    int unnoticed = 0;
    for (const std::string &kernel : kernels_asked())
        for (const omission_case &c : cases)
            for (const timing when : c.timings)
                unnoticed += c.concerns(kernel) && !is_noticed(c, kernel, when, seed);
    return unnoticed;
}
