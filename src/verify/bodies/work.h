/* SPDX-License-Identifier: Apache-2.0 */
/* Work that is left out or done twice: by the COMPUTEs of each accumulator. */
#ifndef SWP_BODIES_WORK_H
#define SWP_BODIES_WORK_H

#include "verify/bodies/findings.h"

swp_status swp_bodies_count_work(swp_findings *findings);

#endif
