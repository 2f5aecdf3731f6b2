/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the built-in targets, each of which has a file. */
#ifndef SWP_TARGET_BUILTIN_H
#define SWP_TARGET_BUILTIN_H

#include "swp/target.h"

extern const swp_target swp_target_mi300x;
extern const swp_target swp_target_mi355x;
extern const swp_target swp_target_sm_80;
extern const swp_target swp_target_sm_90;

#endif
