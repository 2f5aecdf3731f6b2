/* SPDX-License-Identifier: Apache-2.0 */
#include "utf8.h"

enum { CONTINUATION_BITS = 6, SURROGATES = 0xD800, AFTER_SURROGATES = 0xE000, LAST = 0x10FFFF };

/* How many bytes a first byte announces; 0 for a byte that cannot be first. */
static size_t announced_length(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first < 0xE0)
        return 2;
    if (first >= 0xE0 && first < 0xF0)
        return 3;
    return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

/* Overlong forms and surrogates are how a filter is tricked, so they count as invalid. */
static bool is_allowed(uint32_t code_point, size_t length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return code_point >= least[length] && code_point <= LAST &&
           (code_point < SURROGATES || code_point >= AFTER_SURROGATES);
}

utf8_char utf8_decode(const char *text, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    const utf8_char invalid = {.code_point = bytes[0], .length = 1, .valid = false};
    const size_t announced = announced_length(bytes[0]);
    if (announced == 0 || announced > length)
        return invalid;
    uint32_t code_point = announced == 1 ? bytes[0] : bytes[0] & (0x7FU >> announced);
    for (size_t i = 1; i < announced; i++) {
        if ((bytes[i] & 0xC0U) != 0x80)
            return invalid;
        code_point = code_point << CONTINUATION_BITS | (bytes[i] & 0x3FU);
    }
    if (!is_allowed(code_point, announced))
        return invalid;
    return (utf8_char){.code_point = code_point, .length = announced, .valid = true};
}

bool utf8_is_control(utf8_char c)
{
    return c.code_point < 0x20 || (c.code_point >= 0x7F && c.code_point < 0xA0);
}
