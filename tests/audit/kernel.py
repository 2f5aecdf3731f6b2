#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A bf16 GEMM for gfx950 whose main loop is a schedule: from the JSON of `swp compile` to C for clang.

    swp compile fourwave --format json | tests/audit/kernel.py [--buffer] [--fenced] > kernel.c

Blocks of 256 x 256 x 64, MFMA 16 x 16 x 32; four waves as 2 x 2, or eight as 2 x 4. --buffer loads to LDS by
buffer instructions; --fenced keeps the compiler from moving anything past an entry.
"""

import json
import sys

HEAD = """\
#define LDS __attribute__((address_space(3)))
#define GLOBAL __attribute__((address_space(1)))
#define INLINE static inline __attribute__((always_inline))

typedef __bf16 fragment __attribute__((ext_vector_type(8)));
typedef float accumulator __attribute__((ext_vector_type(4)));

enum {{
    WAVES = {waves}, ROWS = 2, COLUMNS = {columns}, HALF = 128, ROW_BYTES = 128,
    PLACE = HALF * ROW_BYTES, LOADS = PLACE / (WAVES * 1024), STEP = WAVES * 8,
    M = HALF / ROWS / 16, N = HALF / COLUMNS / 16, K = 2
}};

__attribute__((loader_uninitialized)) static LDS char lds[8 * PLACE];

typedef struct context {{
    const GLOBAL char *from[2];
    __amdgpu_buffer_rsrc_t buffer[2];
    long stride;
    int part; /* this lane's bytes in a place */
    int wave;
    int row[2];
    fragment a[2][M][K], b[2][N][K];
    accumulator sums[2][2][M][N];
}} context;

#define AT(channel, stage, subtile) (((channel) * 4 + (stage) * 2 + (subtile)) * PLACE)
#define WAIT_VM(n) __builtin_amdgcn_s_waitcnt(((n) & 15) | ((n) >> 4 << 14) | 0x0f70)
#define WAIT_LGKM(n) __builtin_amdgcn_s_waitcnt((n) << 8 | 0xc07f)

INLINE void load(context *c, int channel, int stage, int subtile, long tile)
{{
#pragma unroll
    for (int i = 0; i < LOADS; i++) {{
        const long row = subtile * HALF + i * STEP;
        LDS char *to = lds + AT(channel, stage, subtile) + (i * WAVES + c->wave) * 1024;
        {load};
    }}
}}

INLINE void read_a(context *c, int stage, int subtile)
{{
#pragma unroll
    for (int i = 0; i < M * K; i++)
        c->a[subtile][i / K][i % K] = *(LDS fragment *)(
            lds + AT(0, stage, subtile) + c->row[0] + i / K * 16 * ROW_BYTES + i % K * 64);
}}

INLINE void read_b(context *c, int stage, int subtile)
{{
#pragma unroll
    for (int i = 0; i < N * K; i++)
        c->b[subtile][i / K][i % K] = *(LDS fragment *)(
            lds + AT(1, stage, subtile) + c->row[1] + i / K * 16 * ROW_BYTES + i % K * 64);
}}

INLINE void multiply(context *c, int row, int column)
{{
#pragma unroll
    for (int m = 0; m < M; m++)
#pragma unroll
        for (int n = 0; n < N; n++)
#pragma unroll
            for (int k = 0; k < K; k++)
                c->sums[row][column][m][n] = __builtin_amdgcn_mfma_f32_16x16x32_bf16(
                    c->a[row][m][k], c->b[column][n][k], c->sums[row][column][m][n], 0, 0, 0);
}}

__attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(WAVES * 64, WAVES * 64),
               amdgpu_waves_per_eu(WAVES / 4, WAVES / 4))) void
gemm(GLOBAL char *a, GLOBAL char *b, GLOBAL accumulator *to, long stride, int tiles)
{{
    const int thread = __builtin_amdgcn_workitem_id_x();
    const int lane = thread & 63;
    context c = {{.stride = stride, .wave = __builtin_amdgcn_readfirstlane(thread >> 6)}};
    const int group = c.wave / {waves_per_group};
    c.part = (c.wave * 8 + lane / 8) * (int)stride + lane % 8 * 16;
    for (int i = 0; i < 2; i++) {{
        c.buffer[i] = __builtin_amdgcn_make_buffer_rsrc(i ? b : a, 0, -1, 0x00027000);
        c.from[i] = (i ? b : a) + c.part;
    }}
    c.row[0] = (c.wave / COLUMNS * M * 16 + lane % 16) * ROW_BYTES + lane / 16 * 16;
    c.row[1] = (c.wave % COLUMNS * N * 16 + lane % 16) * ROW_BYTES + lane / 16 * 16;
"""

TAIL = """\
#pragma unroll
    for (int i = 0; i < 4 * M * N; i++)
        to[i * WAVES * 64 + thread] = c.sums[i / (2 * M * N)][i / (M * N) % 2][i / N % M][i % N];
}
"""

LOADS = {
    False: "__builtin_amdgcn_global_load_lds((GLOBAL void *)(c->from[channel] + tile * ROW_BYTES + "
           "row * c->stride), (LDS void *)to, 16, 0, 0)",
    True: "__builtin_amdgcn_raw_ptr_buffer_load_lds(c->buffer[channel], (LDS void *)to, 16, "
          "c->part + (int)(row * c->stride), (int)tile * ROW_BYTES, 0, 0)",
}
MULTIPLES = {"k0": 0, "k1": 1, "k_next": 2, "k_prev": -1}
COLUMNS = {4: 2, 8: 4}


def statement(entry, base):
    role, name, wait = entry["role"], entry["name"], entry["wait"]
    stage, subtile, channel = entry["stage"], entry["subtile"], entry["channel"]
    if role == "global_load":
        tile = f"{base} + {MULTIPLES[entry['k_offset']]}"
        return f"load(&c, {channel}, {stage}, {subtile}, {tile})"
    if role == "fragment_load":
        return f"read_{'ab'[channel]}(&c, {stage}, {subtile})"
    if role == "compute":
        return f"multiply(&c, {stage}, {subtile})"
    return {
        "barrier": "__builtin_amdgcn_s_barrier()",
        "wait_vm": f"WAIT_VM({min(wait, 63)})",
        "wait_lgkm": f"WAIT_LGKM({min(wait, 15)})",
        "set_prio": f"__builtin_amdgcn_s_setprio({wait})",
        "schedule_barrier": "__builtin_amdgcn_sched_barrier(0)",
        "sched_group_barrier": f"__builtin_amdgcn_sched_group_barrier({subtile}, {wait}, 0)",
    }[name]


def kernel(schedule, buffer, fenced):
    machine = schedule["machine"]
    waves = machine["groups"] * machine["waves_per_group"]
    lags = machine["groups"] == 2 and machine["lag"] == 1
    lines = [HEAD.format(waves=waves, columns=COLUMNS[waves], load=LOADS[buffer],
                         waves_per_group=machine["waves_per_group"])]

    def add(entry, base):
        lines.append(f"    {statement(entry, base)};\n")
        if fenced:
            lines.append("    __builtin_amdgcn_sched_barrier(0);\n")

    for i, entry in enumerate(schedule["prologue"]):
        if lags and i == machine["lag_prologue_index"]:
            lines.append("    if (group == 1)\n        __builtin_amdgcn_s_barrier();\n")
        add(entry, "0")
    if lags and machine["lag_prologue_index"] == len(schedule["prologue"]):
        lines.append("    if (group == 1)\n        __builtin_amdgcn_s_barrier();\n")
    if schedule.get("loop_barrier", True):
        lines.append("    __builtin_amdgcn_s_barrier();\n")
    lines.append("#pragma clang loop unroll(disable)\n"
                 "    for (long base = 2; base < tiles; base += 2) {\n")
    for entry in schedule["kernel"]:
        add(entry, "base")
    lines.append("    }\n")
    for entry in schedule["epilogue"]:
        add(entry, "tiles")
    if lags and machine["lag_end_barrier"]:
        lines.append("    if (group == 0)\n        __builtin_amdgcn_s_barrier();\n")
    lines.append("    (void)group;\n")
    return "".join(lines) + TAIL


def main():
    options = sys.argv[1:]
    sys.stdout.write(kernel(json.load(sys.stdin), "--buffer" in options, "--fenced" in options))


if __name__ == "__main__":
    main()
