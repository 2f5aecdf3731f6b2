/* SPDX-License-Identifier: Apache-2.0 */
/* Reading of words and numbers without copies: front ends point into the input to the end. */
#include "audit/code/slice.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

swp_slice swp_code_slice_after(swp_slice slice, size_t count)
{
    return (swp_slice){slice.start + count, slice.length - count};
}

swp_slice swp_code_slice_trim(swp_slice slice)
{
    while (slice.length && is_blank(slice.start[0]))
        slice = swp_code_slice_after(slice, 1);
    while (slice.length && is_blank(slice.start[slice.length - 1]))
        slice.length--;
    return slice;
}

bool swp_code_slice_starts(swp_slice slice, const char *text)
{
    const size_t length = strlen(text);
    return slice.length >= length && memcmp(slice.start, text, length) == 0;
}

bool swp_code_slice_is(swp_slice slice, const char *text)
{
    return slice.length == strlen(text) && swp_code_slice_starts(slice, text);
}

swp_slice swp_code_slice_from(swp_slice slice, const char *text)
{
    while (slice.length && !swp_code_slice_starts(slice, text)) {
        const char *next = memchr(slice.start + 1, text[0], slice.length - 1);
        slice = swp_code_slice_after(slice, next ? (size_t)(next - slice.start) : slice.length);
    }
    return slice;
}

bool swp_code_slice_contains(swp_slice slice, const char *text)
{
    return swp_code_slice_from(slice, text).length != 0;
}

bool swp_code_slice_same(swp_slice a, swp_slice b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.start, b.start, a.length) == 0);
}

swp_slice swp_code_slice_take_word(swp_slice *rest)
{
    size_t length = 0;
    *rest = swp_code_slice_trim(*rest);
    while (length < rest->length && !is_blank(rest->start[length]))
        length++;
    const swp_slice word = {rest->start, length};
    *rest = swp_code_slice_trim(swp_code_slice_after(*rest, length));
    return word;
}

swp_slice swp_code_slice_take_until(swp_slice *rest, char separator)
{
    int depth = 0;
    size_t length = 0;
    for (; length < rest->length; length++) {
        const char c = rest->start[length];
        if (c == separator && depth == 0)
            break;
        depth += (c == '[' || c == '(') - (c == ']' || c == ')');
    }
    const swp_slice piece = {rest->start, length};
    *rest = swp_code_slice_after(*rest, length + (length < rest->length));
    return swp_code_slice_trim(piece);
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

bool swp_code_slice_number(swp_slice slice, int64_t *out)
{
    enum { DECIMAL = 10, HEXADECIMAL = 16 };
    if (!slice.length)
        return false;
    const bool negative = swp_code_slice_starts(slice, "-");
    slice = swp_code_slice_after(slice, negative);
    const bool hexadecimal = swp_code_slice_starts(slice, "0x");
    slice = swp_code_slice_after(slice, hexadecimal ? 2 : 0);
    const int base = hexadecimal ? HEXADECIMAL : DECIMAL;
    uint64_t number = 0;
    /* Assemblers take 010 for 8. */
    if (!slice.length || (!hexadecimal && slice.length > 1 && slice.start[0] == '0'))
        return false;
    for (size_t i = 0; i < slice.length; i++) {
        const int digit = digit_of(slice.start[i]);
        if (digit >= base || number > UINT64_MAX / HEXADECIMAL - (uint64_t)digit)
            return false;
        number = number * (uint64_t)base + (uint64_t)digit;
    }
    *out = (int64_t)(negative ? 0 - number : number);
    return true;
}

bool swp_code_slice_number_after(swp_slice slice, const char *text, int64_t *out)
{
    return swp_code_slice_starts(slice, text) &&
           swp_code_slice_number(swp_code_slice_after(slice, strlen(text)), out);
}
