/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C = A B^T with bf16 operands and f32 sums on AMD's matrix cores: gfx950 (MI355X) and gfx942
 * (MI300X). A is m x k and B is n x k, C is m x n, all row by row. SCHEDULE names the generated
 * header (prefix GEMM), whose macros are the whole main loop; here is one operation of each kind.
 *
 * Rows beyond m and n read as 0, since the buffer descriptors end there; what C has of them is not
 * stored. k is whole K tiles, as many as GEMM_TILES_OK takes. A and B have less than 2 GiB each, for
 * offsets in a buffer are 32 bits. `build` compiles it.
 */
#include SCHEDULE

#define LDS __attribute__((address_space(3)))
#define GLOBAL __attribute__((address_space(1)))

/* gfx950 doubled the depth of a matrix instruction and moves 16 bytes to LDS where gfx942 moves 4. */
#if defined(__gfx950__)
typedef __bf16 fragment __attribute__((ext_vector_type(8)));
#define DMA_BYTES 16
#define LOAD_TO_LDS "buffer_load_dwordx4"
#define MFMA(a, b, sum) __builtin_amdgcn_mfma_f32_16x16x32_bf16(a, b, sum, 0, 0, 0)
#else
typedef short fragment __attribute__((ext_vector_type(4)));
#define DMA_BYTES 4
#define LOAD_TO_LDS "buffer_load_dword"
#define MFMA(a, b, sum) __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, sum, 0, 0, 0)
#endif
typedef float sum __attribute__((ext_vector_type(4)));

enum {
    LANES = 64,
    THREADS = LANES * GEMM_WAVES,
    ROW_BYTES = GEMM_BLOCK_K * GEMM_ELEM_BYTES,
    ROWS_AN_ACCESS = THREADS * DMA_BYTES / ROW_BYTES, /* of a place, by all waves together */
    ROWS_A = GEMM_BLOCK_M / GEMM_SUBTILES_A,          /* of a place */
    ROWS_B = GEMM_BLOCK_N / GEMM_SUBTILES_B,
    MMAS_M = ROWS_A / GEMM_WARPS_M / GEMM_MMA_M, /* of one call by one wave */
    MMAS_N = ROWS_B / GEMM_WARPS_N / GEMM_MMA_N,
    MMAS_K = GEMM_BLOCK_K / GEMM_MMA_K,
    CHUNK = 16, /* bytes of a row that stay together in LDS */
    CHUNKS = 8  /* that take all banks once */
};

_Static_assert(GEMM_ELEM_BYTES == 2 && GEMM_MMA_M == 16 && GEMM_MMA_N == 16, "bf16 by 16x16");
_Static_assert(GEMM_MMA_K *GEMM_ELEM_BYTES == 4 * sizeof(fragment), "four lanes hold a row");
_Static_assert(ROW_BYTES == CHUNKS * CHUNK && ROWS_AN_ACCESS % CHUNKS == 0, "permuted chunks");
_Static_assert(GEMM_LOAD_A_VM_COST *ROWS_AN_ACCESS == ROWS_A, "accesses of a load of A");
_Static_assert(GEMM_LOAD_B_VM_COST *ROWS_AN_ACCESS == ROWS_B, "accesses of a load of B");
_Static_assert(GEMM_MMA_LOAD_A_LGKM_COST == MMAS_M * MMAS_K, "reads of a fragment of A");
_Static_assert(GEMM_MMA_LOAD_B_LGKM_COST == MMAS_N * MMAS_K, "reads of a fragment of B");

typedef LDS unsigned char *place;

static LDS unsigned char lds_a[GEMM_STAGES][GEMM_SUBTILES_A][ROWS_A * ROW_BYTES]
    __attribute__((loader_uninitialized, aligned(CHUNK)));
static LDS unsigned char lds_b[GEMM_STAGES][GEMM_SUBTILES_B][ROWS_B * ROW_BYTES]
    __attribute__((loader_uninitialized, aligned(CHUNK)));

/* Byte offsets by which a wave and its lanes find their part of one operand. */
typedef struct operand {
    __amdgpu_buffer_rsrc_t memory;
    int row_stride;
    int in_memory;   /* this lane's part of the wave's first access to subtile 0, tile 0 */
    int in_place;    /* where that access writes; uniform */
    int in_fragment; /* of this lane's first fragment in a place */
} operand;

typedef struct gemm {
    operand a;
    operand b;
    fragment rows[GEMM_ROWS][MMAS_M][MMAS_K];
    fragment columns[GEMM_COLUMNS][MMAS_N][MMAS_K];
    sum sums[GEMM_ROWS][GEMM_COLUMNS][MMAS_M][MMAS_N];
} gemm;

/*
 * The sixteen lanes that read one chunk column would meet in one bank, so row r keeps its chunk c
 * at c ^ r % CHUNKS. A load to LDS writes its lanes side by side: the order is made where it reads.
 */
static int permuted(int row, int byte)
{
    return byte ^ row % CHUNKS * CHUNK;
}

static operand operand_of(const void *memory, int rows, int k, int first_row, int wave, int lane,
                          int first_fragment_row)
{
    const int row_stride = k * GEMM_ELEM_BYTES;
    const int in_place = wave * LANES * DMA_BYTES;
    const int row = (in_place + lane * DMA_BYTES) / ROW_BYTES;
    const int byte = (in_place + lane * DMA_BYTES) % ROW_BYTES;
    const int fragment_row = first_fragment_row + lane % 16;
    /* Offsets that a range check covers, 4-byte data: the flags of an untyped buffer. */
    enum { RAW_BUFFER = 0x00027000 };
    return (operand){.memory = __builtin_amdgcn_make_buffer_rsrc((void *)memory, 0,
                                                                 rows * row_stride, RAW_BUFFER),
                     .row_stride = row_stride,
                     .in_memory = (first_row + row) * row_stride + permuted(row, byte),
                     .in_place = in_place,
                     .in_fragment = fragment_row * ROW_BYTES +
                                    permuted(fragment_row, lane / 16 * (int)sizeof(fragment))};
}

/*
 * clang puts a wait of its own between a load to LDS and whatever may read what it writes, which is
 * vmcnt(0) where it cannot tell places apart. Of a load in assembly it knows nothing, and leaves the
 * order to the schedule's waits. m0 is not named as clobbered, because it cannot be: nothing else
 * here uses it.
 */
static void load_to_lds(__amdgpu_buffer_rsrc_t memory, place to, int lane, int wave)
{
#ifdef GEMM_BUILTIN_LOADS
    __builtin_amdgcn_raw_ptr_buffer_load_lds(memory, to, DMA_BYTES, lane, wave, 0, 0);
#else
    __asm__ volatile("s_mov_b32 m0, %0\n\ts_nop 0\n\t" LOAD_TO_LDS " %1, %2, %3 offen lds"
                     :
                     : "s"(to), "v"(lane), "s"(memory), "s"(wave)
                     : "memory");
#endif
}

static void load(const operand *x, place to, int first_row, int rows, int tile)
{
#pragma unroll
    for (int row = 0; row < rows; row += ROWS_AN_ACCESS)
        load_to_lds(x->memory, to + x->in_place + row * ROW_BYTES, x->in_memory,
                    (first_row + row) * x->row_stride + tile * ROW_BYTES);
}

static void load_fragments(const operand *x, place from, fragment (*to)[MMAS_K], int count)
{
#pragma unroll
    for (int i = 0; i < count; i++)
#pragma unroll
        for (int k = 0; k < MMAS_K; k++)
            to[i][k] = *(LDS fragment *)(from + i * GEMM_MMA_M * ROW_BYTES +
                                         (x->in_fragment ^ k * (ROW_BYTES / MMAS_K)));
}

/* The fence keeps clang from spreading fragments over so many MMAs that registers spill. */
static void multiply(gemm *g, int row, int column)
{
    __builtin_amdgcn_sched_barrier(0);
#pragma unroll
    for (int k = 0; k < MMAS_K; k++)
#pragma unroll
        for (int i = 0; i < MMAS_M; i++)
#pragma unroll
            for (int j = 0; j < MMAS_N; j++)
                g->sums[row][column][i][j] =
                    MFMA(g->rows[row][i][k], g->columns[column][j][k], g->sums[row][column][i][j]);
}

#define GEMM_LOAD_A(g, stage, subtile, tile)                                                       \
    load(&(g)->a, lds_a[stage][subtile], (subtile)*ROWS_A, ROWS_A, tile)
#define GEMM_LOAD_B(g, stage, subtile, tile)                                                       \
    load(&(g)->b, lds_b[stage][subtile], (subtile)*ROWS_B, ROWS_B, tile)
#define GEMM_MMA_LOAD_A(g, stage, subtile, tile)                                                   \
    load_fragments(&(g)->a, lds_a[stage][subtile], (g)->rows[subtile], MMAS_M)
#define GEMM_MMA_LOAD_B(g, stage, subtile, tile)                                                   \
    load_fragments(&(g)->b, lds_b[stage][subtile], (g)->columns[subtile], MMAS_N)
#define GEMM_MMA(g, row, column, tile) multiply(g, row, column)

static void store(const gemm *g, GLOBAL float *c, int m, int n, int first_row, int first_column)
{
#pragma unroll
    for (int row = 0; row < GEMM_ROWS; row++)
#pragma unroll
        for (int column = 0; column < GEMM_COLUMNS; column++)
#pragma unroll
            for (int i = 0; i < MMAS_M; i++)
#pragma unroll
                for (int j = 0; j < MMAS_N; j++)
#pragma unroll
                    for (int e = 0; e < 4; e++) {
                        const int y = first_row + row * ROWS_A + i * GEMM_MMA_M + e;
                        const int x = first_column + column * ROWS_B + j * GEMM_MMA_N;
                        if (y < m && x < n)
                            c[(long)y * n + x] = g->sums[row][column][i][j][e];
                    }
}

__attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(THREADS, THREADS),
               amdgpu_waves_per_eu(GEMM_WAVES / 4, GEMM_WAVES / 4))) void
gemm_bf16(GLOBAL const void *a, GLOBAL const void *b, GLOBAL float *c, int m, int n, int k)
{
    const int lane = (int)__builtin_amdgcn_workitem_id_x() % LANES;
    const int wave = __builtin_amdgcn_readfirstlane((int)__builtin_amdgcn_workitem_id_x() / LANES);
    const int block_row = (int)__builtin_amdgcn_workgroup_id_y() * GEMM_BLOCK_M;
    const int block_column = (int)__builtin_amdgcn_workgroup_id_x() * GEMM_BLOCK_N;
    const int wave_row = wave / GEMM_WARPS_N * MMAS_M * GEMM_MMA_M;
    const int wave_column = wave % GEMM_WARPS_N * MMAS_N * GEMM_MMA_N;
    gemm g = {.a = operand_of((const void *)a, m, k, block_row, wave, lane, wave_row),
              .b = operand_of((const void *)b, n, k, block_column, wave, lane, wave_column)};

    GEMM_RUN(&g, k / GEMM_BLOCK_K, wave / GEMM_WAVES_PER_GROUP);
    store(&g, c, m, n, block_row + wave_row + lane / 16 * 4,
          block_column + wave_column + lane % 16);
}
