/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the words of loops: completions, conditions, spaces, objectives, kinds of edges. */
#include "ir/loop_names.h"

static const swp_name completions[] = {SWP_COMPLETIONS(SWP_NAME_ROW)};
static const swp_name whens[] = {SWP_WHENS(SWP_NAME_ROW)};
static const swp_name spaces[] = {SWP_SPACES(SWP_NAME_ROW)};
static const swp_name bytes_of[] = {SWP_BYTES_OF(SWP_NAME_ROW)};
static const swp_name objectives[] = {SWP_OBJECTIVES(SWP_NAME_ROW)};
static const swp_name edges[] = {SWP_LOOP_EDGES(SWP_NAME_ROW)};

const swp_name_table swp_ir_completion_names = SWP_NAME_TABLE(completions);
const swp_name_table swp_ir_plain_when_names = {whens, SWP_WHEN_EVERY};
const swp_name_table swp_ir_space_names = SWP_NAME_TABLE(spaces);
const swp_name_table swp_ir_bytes_of_names = SWP_NAME_TABLE(bytes_of);
const swp_name_table swp_ir_objective_names = SWP_NAME_TABLE(objectives);

const char *swp_completion_name(swp_completion completion)
{
    const bool stated = completion != SWP_COMPLETION_UNSTATED;
    return swp_shown_name(completions, SWP_COUNT_OF(completions),
                          (int)(stated ? completion : SWP_COMPLETION_NONE));
}

const char *swp_when_name(swp_when when)
{
    return swp_shown_name(whens, SWP_COUNT_OF(whens), (int)when);
}

const char *swp_space_name(swp_space space)
{
    return swp_shown_name(spaces, SWP_COUNT_OF(spaces), (int)space);
}

const char *swp_bytes_of_name(swp_bytes_of of)
{
    return swp_shown_name(bytes_of, SWP_COUNT_OF(bytes_of), (int)of);
}

const char *swp_objective_name(swp_objective objective)
{
    return swp_shown_name(objectives, SWP_COUNT_OF(objectives), (int)objective);
}

const char *swp_loop_edge_name(swp_loop_edge_kind kind)
{
    return swp_shown_name(edges, SWP_COUNT_OF(edges), (int)kind);
}
