/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file character.h  Characters of a text from outside, and how they are shown.
 *
 * A name, a path or a line of a file may hold anything. Where it is shown, a character that would act on
 * its reader instead of being seen is written as an escape: a control character could hide what stands
 * before it, a line end forge a line, and a mark of direction swap two words.
 */
#ifndef SWP_CHARACTER_H
#define SWP_CHARACTER_H

#include "swp/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A character of UTF-8, or one byte that begins none. */
typedef struct swp_character {
    uint32_t code_point; /**< the byte, where it is not valid */
    size_t length;       /**< bytes that it takes */
    bool valid;          /**< false for an overlong form and a surrogate, too */
} swp_character;

/**
 * Reads the character at the start of a text.
 * @param text    need not end with a NUL
 * @param length  bytes of the text; the character of an empty one is not valid and has length 0
 */
SWP_API swp_character swp_character_at(const char *text, size_t length);

/**
 * Returns whether the character acts instead of being seen. Control characters act (U+0000 to
 * U+001F, U+007F to U+009F), line and paragraph separators, and what has no shape of its own, such
 * as marks of direction (the Unicode categories Cc, Cf, Zl and Zp). So does a byte that begins no
 * character.
 */
SWP_API bool swp_character_acts(swp_character character);

/** Room for one character as it is shown, with its NUL. */
#define SWP_SHOWN_SIZE 11

/**
 * Writes the character at the start of a text as it may be shown: itself, or \x1b, \u202e, \U000e0001
 * where it acts.
 * @param shown  ended by a NUL
 * @return       the character
 */
SWP_API swp_character swp_character_show(const char *text, size_t length,
                                         char shown[SWP_SHOWN_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
