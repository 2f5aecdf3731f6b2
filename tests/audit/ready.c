/* SPDX-License-Identifier: Apache-2.0 */
/* The same with a buffer load to LDS. */
#define LDS __attribute__((address_space(3)))
#define GLOBAL __attribute__((address_space(1)))

__attribute__((loader_uninitialized)) static LDS int place[2][64];

__attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(64, 64))) void k(GLOBAL int *from,
                                                                           GLOBAL int *to, int n)
{
    const int thread = __builtin_amdgcn_workitem_id_x();
    __amdgpu_buffer_rsrc_t buffer = __builtin_amdgcn_make_buffer_rsrc(from, 0, n * 256, 0x00027000);
    int sum = 0;
    for (int i = 0; i < n; i++) {
        const int value = place[0][thread];
        __builtin_amdgcn_raw_ptr_buffer_load_lds(buffer, (LDS void *)place[1], 4,
                                                 (i * 64 + thread) * 4, 0, 0, 0);
        sum += value * 3;
        __builtin_amdgcn_s_waitcnt(0x0f70); /* vmcnt(0) */
    }
    to[thread] = sum;
}
