/* SPDX-License-Identifier: Apache-2.0 */
/* Unsigned numbers on the command line. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Reads decimal digits, without sign or space, that make a number from `least` to `most`.
 * @param end  where the digits end; NULL: they must be all of the text
 */
bool number_read(const char *text, uint64_t least, uint64_t most, const char **end, uint64_t *out);

#endif
