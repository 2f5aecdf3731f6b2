/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels for NVIDIA sm_90a (H100, H200) whose order, waits, arrivals and fences are headers that swp made:
 * matrix products in bf16 and fp8, and attention forward in bf16. A C interface; every function is
 * asynchronous on its stream, allocates nothing, and may be captured in a CUDA graph.
 *
 * All give cudaErrorInvalidValue for what breaks the rules below, before anything is launched; then
 * swp_kernels_error() says which rule it was. cudaErrorNotSupported: the GPU is none of sm_90.
 */
#ifndef SWP_KERNELS_H
#define SWP_KERNELS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What becomes of each element at the end; of x: x, max(x, 0), x * Phi(x), x / (1 + exp(-x)). */
typedef enum swp_activation {
    SWP_ACTIVATION_NONE,
    SWP_ACTIVATION_RELU,
    SWP_ACTIVATION_GELU,
    SWP_ACTIVATION_SILU
} swp_activation;

/*
 * C = activation(scale_a * scale_b * (A * B^T) + bias), summed in fp32. A is m x k, B is n x k, C is m x n and
 * bf16, all row-major with strides in elements: lda, ldb >= k, ldc >= n. m, n and k are 1 to 2^30, and blocks of
 * 128 x 128 of C (those at the edges, too) at most as many. A, B and C
 * are aligned to 16 bytes, and so are their strides: multiples of 8 in bf16, of 16 in fp8 (of ldc: 8), and below
 * 2^40 bytes; scales and bias to 4.
 */
typedef struct swp_gemm {
    int m, n, k;
    const void *a, *b;
    void *c;
    int64_t lda, ldb, ldc;
    const float *scale_a, *scale_b; /* in device memory, of the whole matrix; NULL is 1 */
    const void *bias;               /* n elements of bf16; NULL is none */
    swp_activation activation;
} swp_gemm;

/* The sums of fp8 products in the matrix unit are short of fp32 (docs/kernels.md has the errors). */
typedef enum swp_fp8_sums {
    SWP_FP8_SUMS_FAST,    /* the matrix unit's own, over all of k */
    SWP_FP8_SUMS_PROMOTED /* added up in fp32 after every 128 of k */
} swp_fp8_sums;

cudaError_t swp_gemm_bf16(const swp_gemm *gemm, cudaStream_t stream);
cudaError_t swp_gemm_e4m3(const swp_gemm *gemm, swp_fp8_sums sums, cudaStream_t stream);

/*
 * The same by a kernel of one's own choice, to measure it, where the functions above choose by the sizes. The name begins
 * with what it multiplies and how it sums: bf16, e4m3 (SWP_FP8_SUMS_FAST) or e4m3_promoted. One that
 * swp_gemm_variant_name() does not give is cudaErrorInvalidValue.
 */
cudaError_t swp_gemm_variant(const char *name, const swp_gemm *gemm, cudaStream_t stream);
/* The names, from index 0 on; NULL beyond the last. */
const char *swp_gemm_variant_name(int index);

/*
 * O = softmax(scale * Q * K^T) * V for each head of each batch, in bf16, the softmax in fp32. All are [batch]
 * [head][position][head_dim] with head_dim running fastest: strides of the other three in elements, multiples
 * of 8, positive and below 2^40 bytes, that of a position at least head_dim; pointers aligned to 16 bytes. causal:
 * query i sees the keys 0 to i + keys - queries. head_dim is 64 or 128; batches * heads and the lengths are 1 to
 * 2^30, and batches * heads * queries is at most 2^37. A query that sees no key has zeros, and -infinity as its
 * log-sum-exp.
 */
typedef struct swp_attention {
    int batches, heads, queries, keys, head_dim;
    const void *q, *k, *v;
    void *o;
    int64_t q_strides[3], k_strides[3], v_strides[3], o_strides[3]; /* of batch, head, position */
    float *log_sum_exp; /* [batch][head][query], aligned to 4 bytes; NULL is none */
    float scale;        /* above 0 and finite; usually 1 / sqrt(head_dim) */
    bool causal;
} swp_attention;

cudaError_t swp_attention_forward(const swp_attention *attention, cudaStream_t stream);

/* The rule that this thread's last call broke, as a sentence; "" if it broke none. */
const char *swp_kernels_error(void);

#ifdef __cplusplus
}
#endif

#endif
