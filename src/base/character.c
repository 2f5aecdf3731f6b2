/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes UTF-8, and knows the characters that act (The Unicode Standard, tables 3-7 and 4-4). */
#include "swp/character.h"

#include "base/names.h"

#include <stdio.h>
#include <string.h>

enum { CONTINUATION_BITS = 6, SURROGATES = 0xD800, AFTER_SURROGATES = 0xE000, LAST = 0x10FFFF };

/* Returns how many bytes a first byte announces, or 0 if it cannot be the first. */
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

/* Overlong forms and surrogates can trick a filter, so they count as invalid. */
static bool is_allowed(uint32_t code_point, size_t length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return code_point >= least[length] && code_point <= LAST &&
           (code_point < SURROGATES || code_point >= AFTER_SURROGATES);
}

swp_character swp_character_at(const char *text, size_t length)
{
    if (!text || length == 0)
        return (swp_character){0};
    const unsigned char *bytes = (const unsigned char *)text;
    const swp_character invalid = {.code_point = bytes[0], .length = 1, .valid = false};
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
    return (swp_character){.code_point = code_point, .length = announced, .valid = true};
}

/* Categories Cc, Cf, Zl and Zp of Unicode 15; U+2065 is kept for a mark of direction. */
static const struct {
    uint32_t first;
    uint32_t last;
} acting[] = {
    {0x0000, 0x001F},   {0x007F, 0x009F},   {0x00AD, 0x00AD},   {0x0600, 0x0605},
    {0x061C, 0x061C},   {0x06DD, 0x06DD},   {0x070F, 0x070F},   {0x0890, 0x0891},
    {0x08E2, 0x08E2},   {0x180E, 0x180E},   {0x200B, 0x200F},   {0x2028, 0x202E},
    {0x2060, 0x206F},   {0xFEFF, 0xFEFF},   {0xFFF9, 0xFFFB},   {0x110BD, 0x110BD},
    {0x110CD, 0x110CD}, {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
    {0xE0001, 0xE0001}, {0xE0020, 0xE007F},
};

bool swp_character_acts(swp_character character)
{
    if (!character.valid)
        return true;
    for (size_t i = 0; i < SWP_COUNT_OF(acting); i++)
        if (character.code_point <= acting[i].last)
            return character.code_point >= acting[i].first;
    return false;
}

swp_character swp_character_show(const char *text, size_t length, char shown[SWP_SHOWN_SIZE])
{
    if (!shown)
        return (swp_character){0};
    const swp_character c = swp_character_at(text, length);
    shown[0] = '\0';
    if (c.length == 0)
        return c;
    if (!swp_character_acts(c)) {
        memcpy(shown, text, c.length);
        shown[c.length] = '\0';
        return c;
    }
    const char *format = !c.valid || c.code_point < 0x80 ? "\\x%02x"
                         : c.code_point < 0x10000        ? "\\u%04x"
                                                         : "\\U%08x";
    (void)snprintf(shown, SWP_SHOWN_SIZE, format, (unsigned)c.code_point);
    return c;
}
