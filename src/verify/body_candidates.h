/* SPDX-License-Identifier: Apache-2.0 */
/* The edits of a body that may remove a hazard; of a loop those for deadlocks and counters. */
#ifndef SWP_VERIFY_BODY_CANDIDATES_H
#define SWP_VERIFY_BODY_CANDIDATES_H

#include "verify/finder.h"

swp_status swp_verify_find_for_body(swp_finder *f);

#endif
