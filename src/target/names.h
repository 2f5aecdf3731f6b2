/* SPDX-License-Identifier: Apache-2.0 */
/* One name for each target, whatever it was called. */
#ifndef SWP_TARGET_NAMES_H
#define SWP_TARGET_NAMES_H

/* The name of the target that is meant, or the given one where none is known. */
const char *swp_target_proper_name(const char *name);

#endif
