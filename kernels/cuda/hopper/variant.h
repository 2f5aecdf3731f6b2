/* SPDX-License-Identifier: Apache-2.0 */
/* What the variants of all kernels share: names, and how many blocks there are. */
#ifndef SWP_KERNELS_CUDA_HOPPER_VARIANT_H
#define SWP_KERNELS_CUDA_HOPPER_VARIANT_H

inline int divide_up(int a, int b)
{
    return (a - 1) / b + 1;
}

#define SWP_PASTE(a, b) a##b
#define SWP_EXPAND(a, b) SWP_PASTE(a, b)
#define SWP_TEXT_OF(name) #name
#define SWP_TEXT(name) SWP_TEXT_OF(name)

#endif
