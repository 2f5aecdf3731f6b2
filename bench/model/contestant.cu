/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One kernel around one schedule as a shared library. Build with -DMMA_SYNC, -DWGMMA or -DATTENTION, and what the kernel's
 * source says; its name is `contestant`.
 */
#include "contestant.h"

#if defined(MMA_SYNC)
#include "../../kernels/cuda/gemm_sm80.cu"
#elif defined(WGMMA)
#include "../../kernels/cuda/hopper/gemm.cu"
#else
#include "../../kernels/cuda/hopper/attention.cu"
#endif

#if defined(MMA_SYNC)

contestant_shape contestant_describe(void)
{
    return {0, BM, BN, BK};
}

int contestant_launch(const contest *c, cudaStream_t stream)
{
    const gemm_problem p = {static_cast<const bf16 *>(c->inputs[0]),
                            static_cast<const bf16 *>(c->inputs[1]),
                            static_cast<bf16 *>(c->output),
                            c->m,
                            c->n,
                            c->k,
                            c->k,
                            c->k,
                            c->n};
    return gemm_contestant.launch(&p, stream);
}

#else

namespace
{

int multiprocessors()
{
    static int count = 0;
    if (!count)
        cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
    return count;
}

} // namespace

#if defined(WGMMA)

contestant_shape contestant_describe(void)
{
    return {0, ROWS, COLUMNS, DEPTH};
}

int contestant_launch(const contest *c, cudaStream_t stream)
{
    const swp_gemm g = {c->m, c->n, c->k,    c->inputs[0], c->inputs[1], c->output,          c->k,
                        c->k, c->n, nullptr, nullptr,      nullptr,      SWP_ACTIVATION_NONE};
    return gemm_contestant.launch(g, GEMM_BAND_ROWS / ROWS, multiprocessors(), stream);
}

#else

contestant_shape contestant_describe(void)
{
    return {HEAD, QUERIES, 1, KEYS};
}

int contestant_launch(const contest *c, cudaStream_t stream)
{
    const int64_t of_queries = int64_t(c->m) * HEAD, of_keys = int64_t(c->k) * HEAD;
    const swp_attention a = {1,
                             c->n,
                             c->m,
                             c->k,
                             HEAD,
                             c->inputs[0],
                             c->inputs[1],
                             c->inputs[2],
                             c->output,
                             {of_queries * c->n, of_queries, HEAD},
                             {of_keys * c->n, of_keys, HEAD},
                             {of_keys * c->n, of_keys, HEAD},
                             {of_queries * c->n, of_queries, HEAD},
                             nullptr,
                             HEAD == 64 ? 0.125f : 0.08838834764831845f,
                             false};
    return attention_contestant.launch(a, multiprocessors(), stream);
}

#endif
#endif

int contestant_cycles(unsigned *cycles, int blocks)
{
    return cudaMemcpyFromSymbol(cycles, loop_cycles, sizeof *cycles * unsigned(blocks));
}
