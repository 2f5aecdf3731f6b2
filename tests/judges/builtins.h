/* SPDX-License-Identifier: Apache-2.0 */
/* Built-in kernels under settings, for the tests of the judges. */
#ifndef TEST_JUDGES_BUILTINS_H
#define TEST_JUDGES_BUILTINS_H

#include "swp/compile.h"

/* Compiles "BUILTIN path=value ...", such as "pingpong machine.registers=raw". */
swp_schedule *compile_builtin(swp_context *ctx, const char *words);

#endif
