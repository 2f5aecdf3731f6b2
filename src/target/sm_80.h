/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SWP_TARGET_SM_80_H
#define SWP_TARGET_SM_80_H

#include "swp/target.h"

extern const swp_target swp_target_sm_80;

#endif
