/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two proofs tell the same. */
#ifndef TEST_JUDGES_AGREEING_PROOFS_H
#define TEST_JUDGES_AGREEING_PROOFS_H

#include "swp/verify.h"

/* Whether they have the same hazards, at the same entries, with the same least N. */
bool proofs_agree(const swp_hazard_list *one, const swp_hazard_list *other);

#endif
