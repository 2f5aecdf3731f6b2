/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel of the tutorial around a header of norm.yaml: checked as the tutorial does, then timed. */
#define main check
#include "../../../examples/tutorial/norm.cu"
#undef main
#include "timed.h"

int main()
{
    const int blocks = 4 * 132, tiles = 100;
    const size_t wrong = size_t(check());
    float *from, *to;
    cudaMalloc(&from, size_t(blocks) * tiles * TILE * sizeof *from);
    cudaMalloc(&to, blocks * sizeof *to);
    return report(wrong, median_microseconds([&] { norm<<<blocks, NORM_THREADS>>>(from, tiles, to); }));
}
