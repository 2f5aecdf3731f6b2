/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the passes out of a loop with output tiles (docs/certificates.md, "Checking loops"). */
#ifndef SWP_CERTIFY_LOOP_PASSES_H
#define SWP_CERTIFY_LOOP_PASSES_H

#include "swp/loop.h"

/* Returns the loop without the ops before and after its passes; it shares what `loop` points to. */
swp_loop swp_certify_passes_of(const swp_loop *loop);

#endif
