/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes the encoder's clauses into a formula, and compares each with the certificate's clause of
 * the same number. The first that differs ends the encoding, so that a formula never grows larger
 * than the certificate itself. If the step has no text of its formula, nothing is compared; its
 * proof is then checked against the encoder's formula alone.
 */
#ifndef SWP_CERTIFY_SINK_H
#define SWP_CERTIFY_SINK_H

#include "certify/formula.h"
#include "certify/judgement.h"
#include "swp/certify.h"

/* Literals that need no variable. They are each other's negation. */
#define SWP_TRUE INT32_MAX
#define SWP_FALSE (-INT32_MAX)

/* What a clause is about, for the words of a refusal. */
typedef enum swp_subject { SWP_ABOUT_TIMES, SWP_ABOUT_ARC, SWP_ABOUT_RESOURCE } swp_subject;

typedef struct swp_sink {
    swp_context *ctx;
    swp_judgement *judgement;
    const swp_certificate_step *step;
    swp_certify_formula formula;
    size_t at; /* where the certificate's next clause begins */
    int line;
    swp_literal_list clause; /* the clause that is being made */
    bool satisfied;          /* it has a literal that is true by definition */
    swp_subject subject;
    int64_t about[2]; /* an op; a producer and a consumer; a resource and a slot */
} swp_sink;

swp_sink swp_certify_sink_open(swp_context *ctx, swp_judgement *judgement,
                               const swp_certificate_step *step);

/* Says what the following clauses are about. */
void swp_certify_sink_about(swp_sink *sink, swp_subject subject, int64_t first, int64_t second);

/* Makes a new variable; refuses it if the certificate's formula has fewer. */
swp_status swp_certify_sink_variable(swp_sink *sink, int *variable);

/* Makes several variables, numbered from `first` on. */
swp_status swp_certify_sink_variables(swp_sink *sink, int64_t count, int *first);

/* Adds a clause. A literal that is false by definition is left out, and one that is true drops the clause. */
swp_status swp_certify_sink_clause(swp_sink *sink, const int *literals, size_t count);

/* Refuses a certificate whose formula goes on, or has more variables. */
swp_status swp_certify_sink_close(swp_sink *sink);

#endif
