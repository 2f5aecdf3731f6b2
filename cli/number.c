/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a decimal number within a range: strtoull() alone would take signs, spaces and overflows. Writes seconds. */
#include "number.h"

#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool number_read(const char *text, uint64_t least, uint64_t most, const char **end, uint64_t *out)
{
    /* strtoull() alone would take spaces and signs. */
    const size_t digits = strspn(text, "0123456789");
    errno = 0;
    *out = strtoull(text, NULL, 10);
    if (end)
        *end = text + digits;
    return digits > 0 && errno != ERANGE && *out >= least && *out <= most && (end || !text[digits]);
}

/* A double has no more decimals than this. */
enum { MOST_DECIMALS = DBL_MANT_DIG - DBL_MIN_EXP };

void number_format_seconds(double seconds, char text[NUMBER_SECONDS_SIZE])
{
    int decimals = 0;
    do
        (void)snprintf(text, NUMBER_SECONDS_SIZE, "%.*f", decimals, seconds);
    while (strtod(text, NULL) != seconds && decimals++ < MOST_DECIMALS);
}
