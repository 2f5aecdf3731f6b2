/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The main loop of a small bf16 GEMM on gfx950: 64x64 of C by four waves, two stages of LDS, two K tiles
 * of 32 a pass. A tile of A or B is 64 rows of 64 bytes, of which each wave loads 16.
 */
#define LDS __attribute__((address_space(3)))
#define GLOBAL __attribute__((address_space(1)))
#define INLINE static inline __attribute__((always_inline))

typedef __bf16 fragment __attribute__((ext_vector_type(8)));
typedef float accumulator __attribute__((ext_vector_type(4)));

enum { TILE = 64 * 64, STAGE = 2 * TILE };

__attribute__((loader_uninitialized)) static LDS char lds[2 * STAGE];

/* s_waitcnt takes both counters in one number; the largest value of a counter is no wait. */
#define WAIT_VM(n) __builtin_amdgcn_s_waitcnt(((n)&15) | ((n) >> 4 << 14) | 0x0f70)
#define WAIT_LGKM(n) __builtin_amdgcn_s_waitcnt((n) << 8 | 0xc07f)

typedef struct context {
    const GLOBAL char *from[2]; /* A, B: this lane's part */
    int row[2];                 /* where its fragments begin */
    int wave;
    fragment fragments[2][2];
    accumulator sums[2][2];
} context;

INLINE void load(context *c, int channel, int stage, long tile)
{
    __builtin_amdgcn_global_load_lds(
        (GLOBAL void *)(c->from[channel] + tile * TILE),
        (LDS void *)(lds + stage * STAGE + channel * TILE + c->wave * 1024), 16, 0, 0);
}

INLINE void read(context *c, int stage)
{
    for (int channel = 0; channel < 2; channel++)
        for (int half = 0; half < 2; half++)
            c->fragments[channel][half] = *(LDS fragment *)(lds + stage * STAGE + channel * TILE +
                                                            c->row[channel] + half * 1024);
}

INLINE void multiply(context *c)
{
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 2; column++)
            c->sums[row][column] = __builtin_amdgcn_mfma_f32_16x16x32_bf16(
                c->fragments[0][row], c->fragments[1][column], c->sums[row][column], 0, 0, 0);
}

__attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(256, 256))) void
gemm(const GLOBAL char *a, const GLOBAL char *b, GLOBAL accumulator *to, int tiles)
{
    const int thread = __builtin_amdgcn_workitem_id_x();
    const int lane = thread & 63;
    context c = {.wave = __builtin_amdgcn_readfirstlane(thread >> 6)};
    c.from[0] = a + c.wave * 1024 + lane * 16;
    c.from[1] = b + c.wave * 1024 + lane * 16;
    c.row[0] = ((c.wave >> 1) * 32 + (lane & 15)) * 64 + (lane >> 4) * 16;
    c.row[1] = ((c.wave & 1) * 32 + (lane & 15)) * 64 + (lane >> 4) * 16;
    for (int stage = 0; stage < 2; stage++) {
        load(&c, 0, stage, stage);
        load(&c, 1, stage, stage);
    }
    WAIT_VM(2);
    __builtin_amdgcn_s_barrier();
    for (long tile = 2; tile < tiles; tile += 2) {
#pragma unroll
        for (int stage = 0; stage < 2; stage++) {
            read(&c, stage);
            WAIT_LGKM(0);
            __builtin_amdgcn_s_barrier();
            load(&c, 0, stage, tile + stage);
            load(&c, 1, stage, tile + stage);
            multiply(&c);
            WAIT_VM(2);
            __builtin_amdgcn_s_barrier();
        }
    }
    read(&c, 0);
    multiply(&c);
    WAIT_VM(0);
    __builtin_amdgcn_s_barrier();
    read(&c, 1);
    multiply(&c);
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 2; column++)
            to[thread * 4 + row * 2 + column] = c.sums[row][column];
}
