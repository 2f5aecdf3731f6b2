/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of a kernel, and special registers of its grid, as a run takes them. */
#ifndef SWP_AUDIT_PTX_ARGUMENTS_H
#define SWP_AUDIT_PTX_ARGUMENTS_H

#include "audit/ptx/values.h"
#include "swp/audit.h"

enum { SWP_PTX_MOST_ARGUMENTS = 126 /* a bit of swp_ptx_sources each */ };

/* A part of a parameter that is read, or a special register of the grid. */
typedef struct swp_ptx_argument {
    int param;      /* -1: special */
    int64_t offset; /* or the special register's number */
    int bits;
    bool given;
    bool stated; /* its value is the launch's… */
    int groups; /* …or below so many: the number of a work group of the launch, all of which are judged; 0: neither */
    uint64_t value;
    int64_t slope[SWP_PTX_COUNTS]; /* what it is more for each of a count */
    bool is_bytes; /* it says how many bytes a phase expects, and is not stated: byte_arguments.c */
    int unit;      /* elements of a pass, where it counts elements */
    bool is_count; /* the more it is, the longer are runs */
} swp_ptx_argument;

typedef struct swp_ptx_arguments {
    swp_ptx_argument items[SWP_PTX_MOST_ARGUMENTS];
    int count;
    const swp_audit_launch *launch;
} swp_ptx_arguments;

#endif
