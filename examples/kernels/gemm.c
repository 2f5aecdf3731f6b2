/* SPDX-License-Identifier: Apache-2.0 */
/* A matrix product with bias and activation by libswp_kernels, from C. */
#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <swp_kernels.h>

static uint16_t bf16(float x)
{
    union {
        float value;
        uint32_t bits;
    } both = {x};
    return (uint16_t)(both.bits >> 16); /* exact for the small integers used here */
}

static void *on_device(size_t count, float value)
{
    uint16_t *host = malloc(count * 2);
    void *device = NULL;
    for (size_t i = 0; host && i < count; i++)
        host[i] = bf16(value);
    if (!host || cudaMalloc(&device, count * 2) != cudaSuccess ||
        cudaMemcpy(device, host, count * 2, cudaMemcpyHostToDevice) != cudaSuccess) {
        fprintf(stderr, "no memory on a device: %s\n", cudaGetErrorString(cudaGetLastError()));
        exit(EXIT_FAILURE);
    }
    free(host);
    return device;
}

int main(void)
{
    enum { M = 1000, N = 520, K = 320 };
    const swp_gemm gemm = {.m = M,
                           .n = N,
                           .k = K,
                           .a = on_device(M * K, 1),
                           .b = on_device(N * K, 0.5f),
                           .c = on_device(M * N, 0),
                           .lda = K,
                           .ldb = K,
                           .ldc = N,
                           .bias = on_device(N, -200),
                           .activation = SWP_ACTIVATION_RELU};
    const cudaError_t error = swp_gemm_bf16(&gemm, NULL);
    uint16_t last = 0;
    if (error != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", cudaGetErrorString(error), swp_kernels_error());
        return EXIT_FAILURE;
    }
    if (cudaMemcpy(&last, (uint16_t *)gemm.c + M * N - 1, 2, cudaMemcpyDeviceToHost) != cudaSuccess)
        return EXIT_FAILURE;
    /* 320 / 2 - 200 is below 0 */
    puts(last == bf16(0) ? "as it should be" : "wrong");
    return last == bf16(0) ? EXIT_SUCCESS : EXIT_FAILURE;
}
