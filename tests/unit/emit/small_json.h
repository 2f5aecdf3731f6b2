/* SPDX-License-Identifier: Apache-2.0 */
/* The least schedule that can be read, and edits of it. */
#ifndef TEST_EMIT_SMALL_JSON_H
#define TEST_EMIT_SMALL_JSON_H

#include "schedules.h"

#include <stdio.h>
#include <stdlib.h>

/* With ' for ". */
static const char small_json[] =
    "{'swp': 1,\n"
    " 'machine': {'groups': 1, 'waves_per_group': 4, 'lag': 0, 'lag_prologue_index': 0,\n"
    "  'lag_end_barrier': true, 'barrier': 'raw', 'registers': 'managed', 'vm_max': 63,\n"
    "  'lgkm_max': 15, 'counter_full': 'stall', 'barrier_cycles': 0, 'issue_cycles': 1},\n"
    " 'loop': {'tiles_per_pass': 2, 'first_base': 2, 'min_tiles': 2, 'multiple': 2,\n"
    "  'm_mmas': 2, 'n_mmas': 2, 'placement': 'k_offset'},\n"
    " 'body': [\n"
    "  {'tag': 3, 'name': 'LOAD', 'stage': 1, 'subtile': 0, 'k_offset': 'k1', 'channel': 0,\n"
    "   'role': 'global_load', 'resource': 'global_mem', 'latency': 200, 'vgpr_def': 2,\n"
    "   'vgpr_kill': 1}],\n"
    " 'edges': [{'producer': 0, 'consumer': 0, 'kind': 'flow', 'distance': 1}],\n"
    " 'order': [0],\n"
    " 'prologue': [],\n"
    " 'kernel': [\n"
    "  {'tag': 3, 'name': 'LOAD', 'stage': 1, 'subtile': 0, 'k_offset': 'k1', 'channel': 0,\n"
    "   'wait': 0, 'role': 'global_load', 'prefetch': true, 'vm_cost': 4, 'lgkm_cost': 0},\n"
    "  {'tag': 129, 'name': 'wait_vm', 'stage': 0, 'subtile': 0, 'k_offset': 'none',\n"
    "   'channel': -1, 'wait': 6, 'role': 'sync', 'prefetch': false, 'vm_cost': 0,\n"
    "   'lgkm_cost': 0}],\n"
    " 'epilogue': [],\n"
    " 'kernel_deps': [{'producer': 1, 'consumer': 0, 'kind': 'anti', 'distance': 0}]}\n";

/* The small schedule with the first `from` replaced by `to`, and " for '. The caller frees it. */
static inline char *edited_json(const char *from, const char *to)
{
    const char *at = strstr(small_json, from);
    assert_non_null(at);
    const size_t size = sizeof small_json + strlen(to);
    char *text = malloc(size);
    assert_non_null(text);
    (void)snprintf(text, size, "%.*s%s%s", (int)(at - small_json), small_json, to,
                   at + strlen(from));
    for (char *c = text; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    return text;
}

#endif
