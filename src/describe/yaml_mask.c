/* SPDX-License-Identifier: Apache-2.0 */
/* Hides what YAML reserves within `${...}` behind noncharacters of Unicode, which are for such use within a program. */
#include "describe/yaml_mask.h"

#include <string.h>

/* U+FDD0 stands for the first of these, and so on. */
static const char reserved[] = "{}[],:#?";

enum { MASK_LENGTH = 3, FIRST_MASK_END = 0x90 };
static const char mask_start[] = {'\xef', '\xb7'};

/* Which of the reserved characters a mask stands for; -1: it is none. */
static int masked_at(const char *text, size_t length)
{
    if (length < MASK_LENGTH || memcmp(text, mask_start, sizeof mask_start) != 0)
        return -1;
    const int number = (int)(unsigned char)text[2] - FIRST_MASK_END;
    return number >= 0 && number < (int)sizeof reserved - 1 ? number : -1;
}

static int reserved_at(char c)
{
    const char *found = c ? strchr(reserved, c) : NULL;
    return found ? (int)(found - reserved) : -1;
}

static bool is_key_end(const char *text, size_t i, size_t length)
{
    return text[i] == ':' && i + 1 < length && text[i + 1] == ' ' && text[i - 1] != ' ';
}

/* The length of `${...}`, which ends in its line and has no quotes and no key of a mapping; 0: there is none. */
static size_t expression_at(const char *text, size_t length)
{
    if (length < 2 || text[0] != '$' || text[1] != '{')
        return 0;
    for (size_t i = 2; i < length; i++) {
        if (text[i] == '}')
            return i + 1;
        if (strchr("\r\n\"'{$", text[i])) /* a NUL, too */
            return 0;
        if (is_key_end(text, i, length))
            return 0;
    }
    return 0;
}

static size_t count_reserved(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += reserved_at(text[i]) >= 0;
    return count;
}

static size_t put_masked(char *to, const char *text, size_t length)
{
    size_t put = 0;
    for (size_t i = 0; i < length; i++) {
        const int number = reserved_at(text[i]);
        if (number < 0) {
            to[put++] = text[i];
            continue;
        }
        memcpy(to + put, mask_start, sizeof mask_start);
        to[put + 2] = (char)(FIRST_MASK_END + number);
        put += MASK_LENGTH;
    }
    return put;
}

static swp_status refuse_masks(swp_yaml_reader *reader, const swp_yaml_source *source)
{
    swp_place place = {reader->file, 1, 1};
    for (size_t i = 0; i < source->length; i++) {
        const int number = masked_at(source->text + i, source->length - i);
        if (number >= 0) {
            reader->errors++;
            return swp_error(reader->ctx, SWP_E0101, place, "a description has no use for that",
                             "the input has the noncharacter U+%04X", 0xFDD0U + (unsigned)number);
        }
        if (source->text[i] == '\n')
            place = (swp_place){reader->file, place.line + 1, 1};
        else if (((unsigned char)source->text[i] & 0xC0U) != 0x80U)
            place.column++;
    }
    return SWP_OK;
}

swp_status swp_describe_yaml_mask(swp_yaml_reader *reader, const swp_yaml_source *source,
                                  swp_yaml_source *masked)
{
    size_t longer = 0;
    char *text = NULL;
    *masked = *source;
    SWP_TRY(refuse_masks(reader, source));
    for (size_t i = 0; i < source->length; i++)
        longer +=
            count_reserved(source->text + i, expression_at(source->text + i, source->length - i));
    if (!longer)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(reader->ctx, source->length + (MASK_LENGTH - 1) * longer, &text));
    size_t put = 0;
    for (size_t i = 0; i < source->length;) {
        const size_t length = expression_at(source->text + i, source->length - i);
        put += length ? put_masked(text + put, source->text + i, length) : 1;
        if (!length)
            text[put - 1] = source->text[i];
        i += length ? length : 1;
    }
    *masked = (swp_yaml_source){text, put};
    return SWP_OK;
}

/* In place: what is put back is shorter. */
static size_t unmask(char *text, size_t length)
{
    size_t put = 0;
    for (size_t i = 0; i < length;) {
        const int number = masked_at(text + i, length - i);
        text[put++] = (char)(number < 0 ? text[i] : reserved[number]);
        i += number < 0 ? 1 : MASK_LENGTH;
    }
    text[put] = '\0';
    return put;
}

void swp_describe_yaml_unmask(yaml_document_t *document)
{
    for (yaml_node_t *node = document->nodes.start; node < document->nodes.top; node++)
        if (node->type == YAML_SCALAR_NODE)
            node->data.scalar.length =
                unmask((char *)node->data.scalar.value, node->data.scalar.length);
}
