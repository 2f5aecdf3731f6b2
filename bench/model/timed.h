/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cycles of a block's loop by the multiprocessor's own clock. `run` renames the loops of a schedule's header to
 * NAME_UNTIMED and includes this behind them.
 */
#ifndef SWP_BENCH_MODEL_TIMED_H
#define SWP_BENCH_MODEL_TIMED_H

namespace
{

constexpr int MOST_BLOCKS = 65536;
__device__ unsigned loop_cycles[MOST_BLOCKS]; /* of the last loop that a block ran */

__device__ __forceinline__ unsigned clock_now()
{
    unsigned cycles;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles)::"memory");
    return cycles;
}

} // namespace

#define BENCH_TIMED(thread, loop)                                                                  \
    do {                                                                                           \
        const unsigned bench_began_ = clock_now();                                                 \
        loop;                                                                                      \
        if (threadIdx.x == (thread))                                                               \
            loop_cycles[blockIdx.x % MOST_BLOCKS] = clock_now() - bench_began_;                    \
    } while (0)

#if defined(GEMM_RUN_UNTIMED)
#define GEMM_RUN(...) BENCH_TIMED(0, GEMM_RUN_UNTIMED(__VA_ARGS__))
#elif defined(GEMM_RUN_CONSUMER_UNTIMED)
#define GEMM_RUN_CONSUMER(...)                                                                     \
    BENCH_TIMED(GEMM_FIRST_WARP_CONSUMER * 32, GEMM_RUN_CONSUMER_UNTIMED(__VA_ARGS__))
#else
#define ATTENTION_RUN_CONSUMER(...)                                                                \
    BENCH_TIMED(ATTENTION_FIRST_WARP_CONSUMER * 32, ATTENTION_RUN_CONSUMER_UNTIMED(__VA_ARGS__))
#endif

#endif
