/* SPDX-License-Identifier: Apache-2.0 */
/* Answers "did you mean": finds the word that takes the fewest changes of letters, if these are few enough. */
#include "swp/suggest.h"
#include "base/require.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A word may be an abbreviation if it has at least so many letters. */
enum { LONGEST_WORD = 63, SHORTEST_BEGIN = 3 };

static size_t least(size_t a, size_t b, size_t c)
{
    const size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static bool is_same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * Returns whether the last two of the first i letters of `a`, exchanged, are the last two of the
 * first j letters of `b`.
 */
static bool is_swapped(const char *a, const char *b, size_t i, size_t j)
{
    return i > 1 && j > 1 && is_same_letter(a[i - 1], b[j - 2]) &&
           is_same_letter(a[i - 2], b[j - 1]);
}

/*
 * Computes the Levenshtein distance, where exchanging two neighbours is one change (Damerau 1964,
 * "A technique for computer detection and correction of spelling errors"). It keeps three rows, and
 * ignores case.
 */
static size_t edit_distance(const char *a, const char *b)
{
    const size_t n = strlen(b);
    if (strlen(a) > LONGEST_WORD || n > LONGEST_WORD)
        return SIZE_MAX;
    size_t rows[3][LONGEST_WORD + 1]; /* by the number of letters of `a`, modulo 3 */
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = j;
    size_t i = 0;
    while (a[i]) {
        const size_t *above = rows[i % 3];
        size_t *row = rows[++i % 3];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            const bool is_changed = !is_same_letter(a[i - 1], b[j - 1]);
            row[j] = least(above[j] + 1, row[j - 1] + 1, above[j - 1] + is_changed);
            if (is_swapped(a, b, i, j)) /* row i - 2 is the next of the three */
                row[j] = least(row[j], rows[(i + 1) % 3][j - 2] + 1, row[j]);
        }
    }
    return rows[i % 3][n];
}

/* A third of a word may be wrong, and at least one letter, unless that is all of it. */
static size_t most_wrong(size_t length)
{
    return length < 3 ? length / 2 : length / 3;
}

swp_suggestion swp_suggest_start(const char *word)
{
    SWP_REQUIRE_OR((swp_suggestion){0}, word);
    return (swp_suggestion){.word = word, .distance = most_wrong(strlen(word)) + 1};
}

/* The beginning of a known word is accepted, but counts as the worst word that still is. */
static size_t distance_of(const char *word, const char *known)
{
    const size_t distance = edit_distance(word, known);
    const size_t length = strlen(word);
    const bool begins = length >= SHORTEST_BEGIN && strncasecmp(word, known, length) == 0;
    return begins && distance > most_wrong(length) ? most_wrong(length) : distance;
}

/* Counts the letters that differ in case alone. */
static size_t count_other_case(const char *a, const char *b)
{
    size_t count = 0;
    for (; *a && *b; a++, b++)
        count += *a != *b && is_same_letter(*a, *b);
    return count;
}

/* Of words at the same distance the shortest is better, and of these the one in the word's case. */
static bool is_better_of_equals(const swp_suggestion *suggestion, const char *known)
{
    const char *best = suggestion->best;
    if (!best || strlen(known) != strlen(best))
        return best && strlen(known) < strlen(best);
    return count_other_case(suggestion->word, known) < count_other_case(suggestion->word, best);
}

void swp_suggest_offer(swp_suggestion *suggestion, const char *known)
{
    SWP_REQUIRE_OR(, suggestion && known);
    const size_t distance = distance_of(suggestion->word, known);
    if (distance < suggestion->distance ||
        (distance == suggestion->distance && is_better_of_equals(suggestion, known))) {
        suggestion->best = known;
        suggestion->distance = distance;
    }
}

const char *swp_suggest_hint(const swp_suggestion *suggestion, const char *rest,
                             char hint[SWP_HINT_SIZE])
{
    SWP_REQUIRE_OR("", suggestion && rest && hint);
    if (suggestion->best)
        (void)snprintf(hint, SWP_HINT_SIZE, "did you mean `%s`?%s%s", suggestion->best,
                       *rest ? " " : "", rest);
    else
        (void)snprintf(hint, SWP_HINT_SIZE, "%s", rest);
    return hint;
}
