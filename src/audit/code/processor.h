/* SPDX-License-Identifier: Apache-2.0 */
/* The processors that machine code is compiled for, and the targets of schedules that they run. */
#ifndef SWP_AUDIT_CODE_PROCESSOR_H
#define SWP_AUDIT_CODE_PROCESSOR_H

#include "audit/code/slice.h"

/* Bits, so that a target may stand for several. */
typedef enum swp_processor {
    SWP_PROCESSOR_GFX942 = 1,
    SWP_PROCESSOR_GFX950 = 2,
    SWP_PROCESSOR_SM_80 = 4,
    SWP_PROCESSOR_SM_90 = 8,
    SWP_PROCESSOR_SM_OTHER = 16,
    SWP_PROCESSOR_SM = SWP_PROCESSOR_SM_80 | SWP_PROCESSOR_SM_90 | SWP_PROCESSOR_SM_OTHER
} swp_processor;

/* One that has a row of its own in code: AMD's, which the audit judges. */
typedef struct swp_processor_row {
    swp_processor processor;
    const char *name;
    uint32_t lds_bytes;
} swp_processor_row;

/* The row of a name; NULL: there is none. */
const swp_processor_row *swp_code_processor_named(swp_slice name);

const swp_processor_row *swp_code_processor_row(swp_processor processor);

/* That of sm_80 and the like, by its number. */
swp_processor swp_code_processor_sm(int64_t number);

/* The processors that a schedule's target, by its name, may run on; 0: that is not known. */
unsigned swp_code_processors_of_target(const char *target);

#endif
