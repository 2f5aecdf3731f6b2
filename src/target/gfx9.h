/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defines the wait instruction of gfx9, which gfx942 and gfx950 share: s_waitcnt has a field for
 * each counter, and the largest count of a field means no wait (AMD, "CDNA 3 ISA", S_WAITCNT). It
 * also defines the registers: a lane has up to 512 (ibid., "VGPR allocation", with the accumulation
 * ones), and each of four SIMDs of a compute unit holds those of 64 lanes.
 */
#ifndef SWP_TARGET_GFX9_H
#define SWP_TARGET_GFX9_H

/* A row is X(counter, name, largest count, its low bits: first and how many, its high bits likewise). */
#define SWP_GFX9_COUNTERS(X)                                                                       \
    X(VM, "vmcnt", 63, 0, 4, 14, 2)                                                                \
    X(EXP, "expcnt", 7, 4, 3, 0, 0)                                                                \
    X(LGKM, "lgkmcnt", 15, 8, 4, 0, 0)

#define SWP_GFX9_ENUMERATOR(counter, ...) SWP_GFX9_##counter,
typedef enum swp_gfx9_counter {
    SWP_GFX9_COUNTERS(SWP_GFX9_ENUMERATOR) SWP_GFX9_COUNTER_COUNT
} swp_gfx9_counter;
#undef SWP_GFX9_ENUMERATOR

#define SWP_GFX9_MOST(counter, name, most, ...) SWP_GFX9_##counter##_MAX = (most),
enum { SWP_GFX9_COUNTERS(SWP_GFX9_MOST) SWP_GFX9_CODE_MAX = 0xffff };
#undef SWP_GFX9_MOST

typedef struct swp_gfx9_field {
    const char *name;
    int most;
    int low;
    int low_bits;
    int high;
    int high_bits;
} swp_gfx9_field;

/*
 * Eight waves of each SIMD, and 16 work groups of more than one wave. LDS is handed out in pieces of 512 bytes, of
 * gfx950 in pieces of 1280 (LLVM, "User guide for AMDGPU backend", granulated_lds_size).
 */
enum {
    SWP_GFX9_WAVES = 4 * 8,
    SWP_GFX9_WORK_GROUPS = 16,
    SWP_GFX942_LDS_GRANULE = 512,
    SWP_GFX950_LDS_GRANULE = 1280
};

enum { SWP_GFX9_LANE_REGISTERS = 512, SWP_GFX9_REGISTER_FILE = 4 * 64 * SWP_GFX9_LANE_REGISTERS };

/*
 * Says what completes by which counter (ibid., "Data Dependency Resolution"). There are no groups
 * and no mbarriers.
 */
#define SWP_GFX9_COMPLETIONS                                                                       \
    {                                                                                              \
        [SWP_COMPLETION_COUNTER] = "vmcnt or lgkmcnt, by what the op touches",                     \
        [SWP_COMPLETION_VMCNT] = "loads and stores of global memory",                              \
        [SWP_COMPLETION_LGKMCNT] = "LDS operations"                                                \
    }

#define SWP_GFX9_VGPRS "manual: AMD, CDNA 3 ISA, VGPR allocation"
#define SWP_GFX9_FIGURES                                                                           \
    [SWP_TARGET_VMCNT] = SWP_TARGET_FIGURE(SWP_GFX9_VM_MAX, "manual: AMD, CDNA 3 ISA, S_WAITCNT"), \
    [SWP_TARGET_LGKMCNT] =                                                                         \
        SWP_TARGET_FIGURE(SWP_GFX9_LGKM_MAX, "manual: AMD, CDNA 3 ISA, S_WAITCNT"),                \
    [SWP_TARGET_LANE_REGISTERS] = SWP_TARGET_FIGURE(SWP_GFX9_LANE_REGISTERS, SWP_GFX9_VGPRS),      \
    [SWP_TARGET_REGISTER_FILE] = SWP_TARGET_FIGURE(SWP_GFX9_REGISTER_FILE, SWP_GFX9_VGPRS)

const swp_gfx9_field *swp_target_gfx9_field_of(swp_gfx9_counter counter);

/* Returns the number of an s_waitcnt that waits for nothing. */
unsigned swp_target_gfx9_no_wait(void);

/* Returns the same number with another count, from 0 to the largest, in one field. */
unsigned swp_target_gfx9_set_count(unsigned code, swp_gfx9_counter counter, int count);

int swp_target_gfx9_count_of(unsigned code, swp_gfx9_counter counter);

#endif
