/* SPDX-License-Identifier: Apache-2.0 */
/* Reads literals of a proof from text or from the binary format's variable-length integers. */
#include "certify/drat_read.h"

#include "base/diag.h"

#include <limits.h>

swp_drat_reader swp_certify_drat_read_from(const swp_drat_proof *proof)
{
    return (swp_drat_reader){.proof = proof, .line = proof->place.line};
}

static bool at_end(const swp_drat_reader *reader)
{
    return reader->at == reader->proof->length;
}

static int peek(const swp_drat_reader *reader)
{
    return at_end(reader) ? '\n' : reader->proof->bytes[reader->at];
}

static swp_status refuse(swp_context *ctx, const swp_drat_reader *reader, const char *what)
{
    swp_place place = reader->proof->place;
    const char *const hint = "a proof is written by `cadical`, or by `swp solve --certificate`";
    if (reader->proof->format == SWP_DRAT_BINARY)
        return swp_error(ctx, SWP_E0831, place, hint, "byte %zu of the proof, step %zu: %s",
                         reader->at, reader->steps, what);
    place.line = reader->line;
    return swp_error(ctx, SWP_E0831, place, hint, "step %zu of the proof: %s", reader->steps, what);
}

static swp_status refuse_variable(swp_context *ctx, const swp_drat_reader *reader, int most)
{
    char *what = NULL;
    SWP_TRY(swp_format(ctx, &what, "the variable is above %d, the most that so short a proof has",
                       most));
    return refuse(ctx, reader, what);
}

static void skip_blanks(swp_drat_reader *reader)
{
    while (peek(reader) == ' ' || peek(reader) == '\t' || peek(reader) == '\r')
        reader->at++;
}

static void skip_line(swp_drat_reader *reader)
{
    while (!at_end(reader) && peek(reader) != '\n')
        reader->at++;
    if (!at_end(reader)) {
        reader->at++;
        reader->line++;
    }
}

/* Skips empty lines and comments, which are no steps. */
static void skip_no_steps(swp_drat_reader *reader)
{
    for (skip_blanks(reader); !at_end(reader) && (peek(reader) == '\n' || peek(reader) == 'c');
         skip_blanks(reader))
        skip_line(reader);
}

static swp_status read_number(swp_context *ctx, swp_drat_reader *reader, int most, int *out)
{
    const bool negative = peek(reader) == '-';
    reader->at += negative;
    if (peek(reader) < '0' || peek(reader) > '9')
        return refuse(ctx, reader, "this is neither a literal nor the 0 that ends a step");
    int64_t number = 0;
    for (; peek(reader) >= '0' && peek(reader) <= '9'; reader->at++) {
        number = number * 10 + (peek(reader) - '0');
        if (number > most)
            return refuse_variable(ctx, reader, most);
    }
    *out = (int)(negative ? -number : number);
    return SWP_OK;
}

static swp_status read_text_step(swp_context *ctx, swp_drat_reader *reader, int most,
                                 swp_drat_step *step)
{
    step->line = reader->line;
    step->deletion = peek(reader) == 'd';
    reader->at += step->deletion;
    for (int literal = -1; literal != 0;) {
        skip_blanks(reader);
        SWP_TRY(read_number(ctx, reader, most, &literal));
        if (literal != 0)
            SWP_TRY(SWP_PUSH(ctx, &step->literals, literal));
    }
    skip_blanks(reader);
    if (peek(reader) != '\n')
        return refuse(ctx, reader, "the line goes on after the 0 that ends the step");
    skip_line(reader);
    return SWP_OK;
}

/* A byte has seven bits, the least first. The number is twice the variable, plus one if it is negated. */
static swp_status read_binary_literal(swp_context *ctx, swp_drat_reader *reader, int most, int *out)
{
    uint64_t code = 0;
    unsigned char byte = 0x80;
    for (unsigned shift = 0; byte & 0x80U; shift += 7) {
        if (at_end(reader))
            return refuse(ctx, reader, "the proof ends within a step");
        byte = (unsigned char)reader->proof->bytes[reader->at++];
        if (shift < 35)
            code |= (uint64_t)(byte & 0x7fU) << shift;
        if (shift >= 35 || code / 2 > (uint64_t)most)
            return refuse_variable(ctx, reader, most);
    }
    if (code == 1)
        return refuse(ctx, reader, "-0 is no literal");
    *out = code & 1U ? -(int)(code / 2) : (int)(code / 2);
    return SWP_OK;
}

static swp_status read_binary_step(swp_context *ctx, swp_drat_reader *reader, int most,
                                   swp_drat_step *step)
{
    const int kind = peek(reader);
    if (kind != 'a' && kind != 'd')
        return refuse(ctx, reader, "a step begins with neither `a` nor `d`");
    reader->at++;
    step->deletion = kind == 'd';
    step->line = 0;
    for (int literal = -1; literal != 0;) {
        SWP_TRY(read_binary_literal(ctx, reader, most, &literal));
        if (literal != 0)
            SWP_TRY(SWP_PUSH(ctx, &step->literals, literal));
    }
    return SWP_OK;
}

swp_status swp_certify_drat_read_step(swp_context *ctx, swp_drat_reader *reader, int most,
                                      swp_drat_step *step, bool *more)
{
    const bool text = reader->proof->format == SWP_DRAT_TEXT;
    if (text)
        skip_no_steps(reader);
    *more = !at_end(reader);
    if (!*more)
        return SWP_OK;
    step->literals.count = 0;
    step->number = ++reader->steps;
    return text ? read_text_step(ctx, reader, most, step)
                : read_binary_step(ctx, reader, most, step);
}
