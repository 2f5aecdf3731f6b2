/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SWP_TARGET_MI355X_H
#define SWP_TARGET_MI355X_H

#include "swp/target.h"

extern const swp_target swp_target_mi355x;

#endif
