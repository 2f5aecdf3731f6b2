/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of words that certificates use. */
#include "certify/names.h"

static const swp_name verdicts[] = {
    {SWP_CERTIFICATE_ACCEPTED, "accepted", NULL},
    {SWP_CERTIFICATE_REFUSED, "refused", NULL},
    {SWP_CERTIFICATE_UNPROVEN, "unproven", NULL},
    {SWP_CERTIFICATE_STOPPED, "stopped", NULL},
};

static const swp_name step_kinds[] = {
    {SWP_CERTIFICATE_RESOURCE, "resource", NULL},
    {SWP_CERTIFICATE_PATH, "path", NULL},
    {SWP_CERTIFICATE_CYCLE, "cycle", NULL},
    {SWP_CERTIFICATE_REFUTATION, "refutation", NULL},
};

static const swp_name scopes[] = {
    {SWP_REFUTED_VALUE, "value", NULL},
    {SWP_REFUTED_COMPONENT, "component", NULL},
};

static const swp_name claims[] = {
    {SWP_LEAST_SHARED, "shared", NULL},
    {SWP_LEAST_REGISTERS, "registers", NULL},
    {SWP_LEAST_STAGES, "stages", NULL},
};

const swp_name_table swp_certify_step_names = SWP_NAME_TABLE(step_kinds);
const swp_name_table swp_certify_refutation_scope_names = SWP_NAME_TABLE(scopes);

const char *swp_certificate_verdict_name(swp_certificate_verdict verdict)
{
    return swp_shown_name(verdicts, SWP_COUNT_OF(verdicts), (int)verdict);
}

const char *swp_certify_claim_name(swp_objective objective)
{
    return swp_shown_name(claims, SWP_COUNT_OF(claims), (int)objective);
}
