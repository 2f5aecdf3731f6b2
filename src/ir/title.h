/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SWP_IR_TITLE_H
#define SWP_IR_TITLE_H

#include "swp/compile.h"

/* What reports call a schedule: its name, where it has one. */
static inline const char *swp_schedule_title(const swp_schedule *schedule)
{
    return schedule->name[0] ? schedule->name : "schedule";
}

#endif
