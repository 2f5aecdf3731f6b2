/* SPDX-License-Identifier: Apache-2.0 */
/* The passes of a loop with output tiles (docs/certificates.md, "Checking loops"). */
#ifndef SWP_CERTIFY_LOOP_PASSES_H
#define SWP_CERTIFY_LOOP_PASSES_H

#include "swp/loop.h"

/* The loop without the ops before and behind its passes; it shares what `loop` points to. */
swp_loop swp_certify_passes_of(const swp_loop *loop);

#endif
