/* SPDX-License-Identifier: Apache-2.0 */
/* What a few passes of one wave show of a program without roles. */
#ifndef TEST_ANSWERS_FLAT_TRAITS_H
#define TEST_ANSWERS_FLAT_TRAITS_H

#include "swp/compile.h"

/* As bits of answers_trait: of a body, of a general loop, each in the form that takes any pass. */
unsigned answers_body_traits(const swp_schedule *schedule);
unsigned answers_loop_traits(const swp_schedule *form);

#endif
