/* SPDX-License-Identifier: Apache-2.0 */
/* Gives each target one name, whatever it was called. */
#ifndef SWP_TARGET_NAMES_H
#define SWP_TARGET_NAMES_H

/* Returns the name of the target that is meant, or the given one if none is known. */
const char *swp_target_proper_name(const char *name);

#endif
