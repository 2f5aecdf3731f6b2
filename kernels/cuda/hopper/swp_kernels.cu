/* SPDX-License-Identifier: Apache-2.0 */
/* The C interface: what a problem must keep, and which variant takes it. */
#include "swp_kernels.h"

#include "attention_variant.h"
#include "gemm_variant.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

extern const gemm_variant gemm_bf16_256, gemm_bf16_128, gemm_bf16_256_cluster, gemm_e4m3_256,
    gemm_e4m3_256_cluster, gemm_e4m3_promoted_256, gemm_e4m3_promoted_192, gemm_e4m3_promoted_128,
    gemm_e4m3_promoted_192_cluster;
extern const attention_variant attention_64, attention_128;

namespace
{

const gemm_variant *const all_variants[] = {
    &gemm_bf16_256,          &gemm_bf16_128,          &gemm_bf16_256_cluster,
    &gemm_e4m3_256,          &gemm_e4m3_256_cluster,  &gemm_e4m3_promoted_256,
    &gemm_e4m3_promoted_192, &gemm_e4m3_promoted_128, &gemm_e4m3_promoted_192_cluster};

constexpr int MOST = 1 << 30, ALIGNMENT = 16;
constexpr int LEAST_BLOCK = 128; /* of rows, columns or queries; kernels count them in an int */
constexpr int64_t STRIDE_LIMIT = int64_t(1) << 40; /* in bytes, of a tensor map */

thread_local const char *broken = "";

cudaError_t refuse(const char *rule)
{
    broken = rule;
    return cudaErrorInvalidValue;
}

bool is_aligned(const void *at, int bytes)
{
    return reinterpret_cast<uintptr_t>(at) % uintptr_t(bytes) == 0;
}

bool is_size(int n)
{
    return n >= 1 && n <= MOST;
}

/* The multiprocessors of the current device, if it is one of sm_90. */
cudaError_t count_multiprocessors(int *count)
{
    int device = 0, major = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(count, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess && major != 9) {
        broken = "the device is of compute capability 9.0";
        return cudaErrorNotSupported;
    }
    return error;
}

/* The rule that a GEMM breaks whose elements of A and B have so many bytes. */
const char *broken_by(const swp_gemm &g, int bytes)
{
    const int64_t step = ALIGNMENT / bytes, step_c = ALIGNMENT / 2;
    if (!is_size(g.m) || !is_size(g.n) || !is_size(g.k))
        return "m, n and k are 1 to 2^30";
    if (int64_t(divide_up(g.m, LEAST_BLOCK)) * divide_up(g.n, LEAST_BLOCK) > MOST)
        return "blocks of 128 x 128 of C are at most 2^30";
    if (!g.a || !g.b || !g.c)
        return "a, b and c are not NULL";
    if (!is_aligned(g.a, ALIGNMENT) || !is_aligned(g.b, ALIGNMENT) || !is_aligned(g.c, ALIGNMENT))
        return "a, b and c are aligned to 16 bytes";
    if (g.lda < g.k || g.ldb < g.k || g.ldc < g.n)
        return "lda and ldb are at least k, ldc at least n";
    if (g.lda % step || g.ldb % step || g.ldc % step_c)
        return "lda, ldb and ldc are multiples of 16 bytes";
    if (std::max(g.lda, g.ldb) >= STRIDE_LIMIT / bytes || g.ldc >= STRIDE_LIMIT / 2)
        return "lda, ldb and ldc are below 2^40 bytes";
    if (!is_aligned(g.bias, 4) || !is_aligned(g.scale_a, 4) || !is_aligned(g.scale_b, 4))
        return "bias, scale_a and scale_b are aligned to 4 bytes";
    if (g.activation < SWP_ACTIVATION_NONE || g.activation > SWP_ACTIVATION_SILU)
        return "activation is one of swp_activation";
    return nullptr;
}

/* How long it takes, beside other variants: all multiprocessors do a block each, then the next. */
double cost(const gemm_variant &variant, const swp_gemm &g, int multiprocessors)
{
    const int64_t blocks = int64_t(divide_up(g.m, variant.rows)) * divide_up(g.n, variant.columns);
    const int64_t turns = (blocks + multiprocessors - 1) / multiprocessors;
    return double(turns) * variant.columns * variant.column_cost * g.k + variant.start_cost;
}

/* By the one of these variants that is done first. */
template <size_t COUNT>
cudaError_t multiply(const swp_gemm *g, const gemm_variant *const (&variants)[COUNT],
                     cudaStream_t stream)
{
    broken = "";
    if (!g)
        return refuse("the problem is not NULL");
    if (const char *rule = broken_by(*g, variants[0]->element_bytes))
        return refuse(rule);
    int multiprocessors = 0;
    const cudaError_t error = count_multiprocessors(&multiprocessors);
    if (error != cudaSuccess)
        return error;
    const gemm_variant *best = variants[0];
    for (const gemm_variant *variant : variants)
        if (cost(*variant, *g, multiprocessors) < cost(*best, *g, multiprocessors))
            best = variant;
    return best->launch(*g, GEMM_BAND_ROWS / best->rows, multiprocessors, stream);
}

const char *broken_by(const swp_attention &a)
{
    const void *const operands[] = {a.q, a.k, a.v, a.o};
    const int64_t *const strides[] = {a.q_strides, a.k_strides, a.v_strides, a.o_strides};
    if (a.head_dim != 64 && a.head_dim != 128)
        return "head_dim is 64 or 128";
    if (!is_size(a.batches) || !is_size(a.heads) || !is_size(a.queries) || !is_size(a.keys))
        return "batches, heads, queries and keys are 1 to 2^30";
    if (int64_t(a.batches) * a.heads * divide_up(a.queries, LEAST_BLOCK) > MOST)
        return "batches * heads * queries is at most 2^37";
    for (int i = 0; i < 4; i++) {
        if (!operands[i] || !is_aligned(operands[i], ALIGNMENT))
            return "q, k, v and o are aligned to 16 bytes, and not NULL";
        for (int dimension = 0; dimension < 3; dimension++)
            if (strides[i][dimension] <= 0 || strides[i][dimension] % (ALIGNMENT / 2) ||
                strides[i][dimension] >= STRIDE_LIMIT / 2)
                return "strides are positive multiples of 8 elements, and below 2^40 bytes";
        if (strides[i][2] < a.head_dim)
            return "the stride of a position is at least head_dim";
    }
    if (!is_aligned(a.log_sum_exp, 4))
        return "log_sum_exp is aligned to 4 bytes";
    if (!(a.scale > 0) || std::isinf(a.scale))
        return "scale is above 0 and finite";
    return nullptr;
}

} // namespace

cudaError_t swp_gemm_bf16(const swp_gemm *gemm, cudaStream_t stream)
{
    static const gemm_variant *const variants[] = {&gemm_bf16_256, &gemm_bf16_128,
                                                   &gemm_bf16_256_cluster};
    return multiply(gemm, variants, stream);
}

cudaError_t swp_gemm_e4m3(const swp_gemm *gemm, swp_fp8_sums sums, cudaStream_t stream)
{
    static const gemm_variant *const fast[] = {&gemm_e4m3_256};
    static const gemm_variant *const promoted[] = {&gemm_e4m3_promoted_256, &gemm_e4m3_promoted_192,
                                                   &gemm_e4m3_promoted_128};
    if (sums != SWP_FP8_SUMS_FAST && sums != SWP_FP8_SUMS_PROMOTED)
        return refuse("sums is one of swp_fp8_sums");
    return sums == SWP_FP8_SUMS_FAST ? multiply(gemm, fast, stream)
                                     : multiply(gemm, promoted, stream);
}

const char *swp_gemm_variant_name(int index)
{
    return index >= 0 && index < int(std::size(all_variants)) ? all_variants[index]->name : nullptr;
}

cudaError_t swp_gemm_variant(const char *name, const swp_gemm *gemm, cudaStream_t stream)
{
    for (const gemm_variant *variant : all_variants) {
        const gemm_variant *const chosen[] = {variant};
        if (name && std::strcmp(name, variant->name) == 0)
            return multiply(gemm, chosen, stream);
    }
    return refuse("the variant is one that swp_gemm_variant_name names");
}

cudaError_t swp_attention_forward(const swp_attention *attention, cudaStream_t stream)
{
    broken = "";
    if (!attention)
        return refuse("the problem is not NULL");
    if (const char *rule = broken_by(*attention))
        return refuse(rule);
    int multiprocessors = 0;
    const cudaError_t error = count_multiprocessors(&multiprocessors);
    if (error != cudaSuccess)
        return error;
    return (attention->head_dim == 64 ? attention_64 : attention_128)
        .launch(*attention, multiprocessors, stream);
}

const char *swp_kernels_error(void)
{
    return broken;
}
