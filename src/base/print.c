/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements a printf() of its own: snprintf() writes the numbers, and texts are escaped character
 * by character.
 */
#include "base/print.h"

#include "swp/character.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* This is longer than any number at the widths that are asked for. A number that is cut still ends in a NUL. */
enum { NUMBER_SIZE = 512, SPEC_SIZE = 16, MOST_FLAGS = 5 };

/* Room for one character in any kind of text. */
enum { ESCAPED_SIZE = SWP_JSON_SHOWN_SIZE };

/* A va_list that a function can hand on by address. */
typedef struct rest {
    va_list list;
} rest;

typedef struct sink {
    char *out;
    size_t size;
    size_t length; /* of all, whether it fits or not */
    swp_escape escape;
} sink;

/* One conversion, after its stars are resolved. */
typedef struct spec {
    char flags[MOST_FLAGS + 1];
    int width;
    int precision; /* -1: none */
    char length;   /* 0, or one of l L (for ll) z t j */
    char conversion;
} spec;

static void add(sink *to, const char *bytes, size_t length)
{
    const size_t room = to->length + 1 < to->size ? to->size - to->length - 1 : 0;
    if (room > 0)
        memcpy(to->out + to->length, bytes, length < room ? length : room);
    to->length += length;
}

static void pad(sink *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(to, " ", 1);
}

static void put(char shown[ESCAPED_SIZE], const char *text)
{
    (void)snprintf(shown, ESCAPED_SIZE, "%s", text);
}

static void put_backslash(char shown[ESCAPED_SIZE])
{
    memmove(shown + 1, shown, strlen(shown) + 1);
    shown[0] = '\\';
}

/* A backslash continues the line and a trigraph may be one; `*` can open or close a comment. */
static void escape_for_c(swp_character c, char shown[ESCAPED_SIZE])
{
    const bool harmless =
        c.valid && c.code_point >= ' ' && c.code_point <= '~' && !strchr("*\\?", (int)c.code_point);
    if (!harmless)
        put(shown, "_");
}

/* Labels of dot know escapes by `\` and entities by `&`. */
static void escape_for_dot(char shown[ESCAPED_SIZE])
{
    if (shown[0] == '&')
        put(shown, "&amp;");
    else if (shown[0] == '"' || shown[0] == '\\')
        put_backslash(shown);
}

static void escape_for_markup(char shown[ESCAPED_SIZE])
{
    static const char special[] = "&<>\"'";
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const char *found = shown[0] ? strchr(special, shown[0]) : NULL;
    if (found)
        put(shown, entities[found - special]);
}

/* A text from swp_character_show() has no control characters, so these need no escape here. */
static void escape_for_json(char shown[ESCAPED_SIZE])
{
    if (shown[0] == '<')
        put(shown, "\\u003c");
    else if (shown[0] == '"' || shown[0] == '\\')
        put_backslash(shown);
}

static void put_json_escape(swp_character c, char shown[SWP_JSON_SHOWN_SIZE])
{
    enum { FIRST_OF_TWO = 0x10000, HIGH = 0xD800, LOW = 0xDC00, LOW_BITS = 10, LOW_MASK = 0x3FF };
    const unsigned code = c.valid ? (unsigned)c.code_point : 0xFFFD;
    const unsigned above = code - FIRST_OF_TWO;
    if (code < FIRST_OF_TWO)
        (void)snprintf(shown, SWP_JSON_SHOWN_SIZE, "\\u%04x", code);
    else
        (void)snprintf(shown, SWP_JSON_SHOWN_SIZE, "\\u%04x\\u%04x",
                       HIGH | (above >> LOW_BITS & LOW_MASK), LOW | (above & LOW_MASK));
}

/* Escapes one character, and returns how many bytes were read. */
static size_t escape_character(swp_escape escape, const char *text, size_t length,
                               char shown[ESCAPED_SIZE])
{
    const swp_character c = swp_character_show(text, length, shown);
    switch (escape) {
    case SWP_ESCAPE_C_COMMENT:
        escape_for_c(c, shown);
        break;
    case SWP_ESCAPE_DOT:
        escape_for_dot(shown);
        break;
    case SWP_ESCAPE_MARKUP:
        escape_for_markup(shown);
        break;
    case SWP_ESCAPE_JSON:
        escape_for_json(shown);
        break;
    case SWP_ESCAPE_TEXT:
        break;
    }
    return c.length;
}

/* Counts the characters that a reader sees; an escape is ASCII. */
static size_t columns_of(const char *shown)
{
    size_t columns = 0;
    for (; *shown; shown++)
        columns += ((unsigned char)*shown & 0xC0U) != 0x80;
    return columns;
}

/* Adds an escaped text and returns its columns; with `to` NULL it only counts them. */
static size_t add_escaped(sink *to, swp_escape escape, const char *text, size_t length)
{
    char shown[ESCAPED_SIZE];
    size_t columns = 0;
    for (size_t at = 0; at < length;) {
        at += escape_character(escape, text + at, length - at, shown);
        columns += columns_of(shown);
        if (to)
            add(to, shown, strlen(shown));
    }
    return columns;
}

static size_t length_of(const char *text, int precision)
{
    if (precision < 0)
        return strlen(text);
    const char *end = memchr(text, '\0', (size_t)precision);
    return end ? (size_t)(end - text) : (size_t)precision;
}

static void add_text(sink *to, const spec *s, const char *text)
{
    if (!text)
        text = "(null)";
    const size_t length = length_of(text, s->precision);
    const size_t width = (size_t)s->width;
    const size_t columns = width > 0 ? add_escaped(NULL, to->escape, text, length) : 0;
    const size_t missing = width > columns ? width - columns : 0;
    const bool left = strchr(s->flags, '-') != NULL;
    pad(to, left ? 0 : missing);
    (void)add_escaped(to, to->escape, text, length);
    pad(to, left ? missing : 0);
}

static intmax_t take_signed(rest *arguments, char length)
{
    if (length == 'l')
        return va_arg(arguments->list, long);
    if (length == 'L')
        return va_arg(arguments->list, long long);
    if (length == 'z' || length == 't')
        return va_arg(arguments->list, ptrdiff_t);
    if (length == 'j')
        return va_arg(arguments->list, intmax_t);
    return va_arg(arguments->list, int);
}

static uintmax_t take_unsigned(rest *arguments, char length)
{
    if (length == 'l')
        return va_arg(arguments->list, unsigned long);
    if (length == 'L')
        return va_arg(arguments->list, unsigned long long);
    if (length == 'z' || length == 't')
        return va_arg(arguments->list, size_t);
    if (length == 'j')
        return va_arg(arguments->list, uintmax_t);
    return va_arg(arguments->list, unsigned);
}

/* The C library writes the numbers, by a specification of ours: %[flags]*.*[j]conversion. */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif
static void add_number(sink *to, const spec *s, rest *arguments)
{
    char number[NUMBER_SIZE];
    char format[SPEC_SIZE];
    const bool is_real = strchr("fge", s->conversion) != NULL;
    const bool is_signed = s->conversion == 'd' || s->conversion == 'i';
    (void)snprintf(format, sizeof format, "%%%s*.*%s%c", s->flags, is_real ? "" : "j",
                   s->conversion);
    int length = 0;
    if (is_real)
        length = snprintf(number, sizeof number, format, s->width, s->precision,
                          va_arg(arguments->list, double));
    else if (is_signed)
        length = snprintf(number, sizeof number, format, s->width, s->precision,
                          take_signed(arguments, s->length));
    else
        length = snprintf(number, sizeof number, format, s->width, s->precision,
                          take_unsigned(arguments, s->length));
    add(to, number, length < 0 ? 0 : length >= NUMBER_SIZE ? NUMBER_SIZE - 1 : (size_t)length);
}
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* Reads a number or a star, and moves `at` behind it. */
static int read_number(const char **at, rest *arguments)
{
    int number = 0;
    if (**at == '*') {
        (*at)++;
        return va_arg(arguments->list, int);
    }
    for (; **at >= '0' && **at <= '9'; (*at)++)
        number = number * 10 + (**at - '0');
    return number;
}

/* Reads a conversion from behind its %, and moves `at` behind it. */
static spec read_spec(const char **at, rest *arguments)
{
    spec s = {.precision = -1};
    for (size_t i = 0; **at && strchr("-+ #0", **at) && i < MOST_FLAGS; i++)
        s.flags[i] = *(*at)++;
    s.width = read_number(at, arguments);
    if (s.width < 0) {
        s.width = -s.width;
        s.flags[0] = '-';
        s.flags[1] = '\0';
    }
    if (**at == '.') {
        (*at)++;
        s.precision = read_number(at, arguments);
    }
    if (**at && strchr("lztj", **at))
        s.length = *(*at)++;
    if (s.length == 'l' && **at == 'l') {
        s.length = 'L';
        (*at)++;
    }
    s.conversion = **at;
    *at += **at != '\0';
    return s;
}

static void add_conversion(sink *to, const spec *s, rest *arguments)
{
    char c = '\0';
    switch (s->conversion) {
    case '%':
        add(to, "%", 1);
        break;
    case 'c':
        c = (char)va_arg(arguments->list, int);
        (void)add_escaped(to, to->escape, &c, 1);
        break;
    case 's':
        add_text(to, s, va_arg(arguments->list, const char *));
        break;
    default:
        add_number(to, s, arguments);
        break;
    }
}

size_t swp_vprint(char *out, size_t size, swp_escape escape, const char *format, va_list arguments)
{
    sink to = {.out = out, .size = size, .escape = escape};
    rest left;
    va_copy(left.list, arguments);
    while (*format) {
        const size_t literal = strcspn(format, "%");
        add(&to, format, literal);
        format += literal;
        if (*format == '%') {
            format++;
            const spec s = read_spec(&format, &left);
            add_conversion(&to, &s, &left);
        }
    }
    va_end(left.list);
    if (size > 0)
        out[to.length < size ? to.length : size - 1] = '\0';
    return to.length;
}

size_t swp_escape_json(const char *text, size_t length, char shown[SWP_JSON_SHOWN_SIZE])
{
    const swp_character c = swp_character_at(text, length);
    const bool is_layout_or_seen = c.valid && (c.code_point < ' ' || !swp_character_acts(c));
    if (is_layout_or_seen)
        (void)snprintf(shown, SWP_JSON_SHOWN_SIZE, "%.*s", (int)c.length, text);
    else
        put_json_escape(c, shown);
    return c.length;
}
