/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which scalar registers the dispatcher sets up before a kernel begins: first those that the descriptor
 * asks for, in this order, then those of the system. LLVM, "User Guide for AMDGPU Backend", "Initial
 * Kernel Execution State" and ".amdhsa_kernel".
 */
#include "audit/amd/amd.h"

#include <string.h>

/* X(directive less its beginning, registers, registers if it does not stand there, what they hold) */
#define ENTRIES(X)                                                                                 \
    X("user_sgpr_private_segment_buffer", 4, 0, UNIFORM)                                           \
    X("user_sgpr_dispatch_ptr", 2, 0, CONSTANTS)                                                   \
    X("user_sgpr_queue_ptr", 2, 0, UNIFORM)                                                        \
    X("user_sgpr_kernarg_segment_ptr", 2, 0, CONSTANTS)                                            \
    X("user_sgpr_dispatch_id", 2, 0, UNIFORM)                                                      \
    X("user_sgpr_flat_scratch_init", 2, 0, UNIFORM)                                                \
    X("user_sgpr_private_segment_size", 1, 0, UNIFORM)                                             \
    X("user_sgpr_kernarg_preload_length", 1, 0, UNIFORM)                                           \
    X("system_sgpr_workgroup_id_x", 1, 1, UNIFORM)                                                 \
    X("system_sgpr_workgroup_id_y", 1, 0, UNIFORM)                                                 \
    X("system_sgpr_workgroup_id_z", 1, 0, UNIFORM)                                                 \
    X("system_sgpr_workgroup_info", 1, 0, UNKNOWN)

static const struct {
    const char *name;
    int registers;
    int otherwise;
    swp_start holds;
} entries[] = {
#define ROW(name, registers, otherwise, holds)                                                     \
    {".amdhsa_" name, registers, otherwise, SWP_START_##holds},
    ENTRIES(ROW)
#undef ROW
};

_Static_assert(sizeof entries / sizeof *entries == SWP_AMD_ENTRY_ROWS,
               "a row for each field of the descriptor");

static bool is_user(int row)
{
    return swp_code_slice_starts((swp_slice){entries[row].name, strlen(entries[row].name)},
                                 ".amdhsa_user_");
}

void swp_amd_entry_begin(swp_amd_entry *out)
{
    *out = (swp_amd_entry){.user = -1};
    for (int row = 0; row < SWP_AMD_ENTRY_ROWS; row++)
        out->registers[row] = entries[row].otherwise;
}

void swp_amd_entry_read(const swp_statement *statement, swp_amd_entry *out)
{
    int64_t number = 0;
    const bool read =
        swp_code_slice_number(statement->rest, &number) && number >= 0 && number <= SWP_START_COUNT;
    if (!swp_code_slice_contains(statement->name, "_sgpr_"))
        return;
    out->stated |= swp_code_slice_starts(statement->name, ".amdhsa_user_sgpr_");
    out->unread |= !read;
    if (swp_code_slice_is(statement->name, ".amdhsa_user_sgpr_count"))
        out->user = (int)number;
    for (int row = 0; row < SWP_AMD_ENTRY_ROWS; row++)
        if (swp_code_slice_is(statement->name, entries[row].name))
            out->registers[row] = (int)number * entries[row].registers;
}

void swp_amd_presume_entry(swp_function *function)
{
    enum { PAIR = 2 };
    for (int i = 0; i < SWP_START_COUNT; i++)
        function->start[i] = i < PAIR ? SWP_START_PRESUMED : SWP_START_UNKNOWN;
}

void swp_amd_entry_end(const swp_amd_entry *entry, swp_function *function)
{
    int at = 0;
    bool in_user = true;
    if (!entry->stated)
        return;
    for (int i = 0; i < SWP_START_COUNT; i++)
        function->start[i] = SWP_START_UNKNOWN;
    for (int row = 0; row < SWP_AMD_ENTRY_ROWS && !entry->unread; row++) {
        /* Those of the system follow all that the user has, asked for by name or not. */
        if (in_user && !is_user(row) && entry->user >= 0)
            at = entry->user;
        in_user = is_user(row);
        for (int i = 0; i < entry->registers[row]; i++, at++)
            if (at < SWP_START_COUNT && !(in_user && entry->user >= 0 && at >= entry->user))
                function->start[at] = entries[row].holds;
    }
}
