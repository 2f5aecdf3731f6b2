/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes an ordinary access has of each thread, or of each row of a matrix (PTX ISA 9.0, "ldmatrix", "wmma.load"). */
#include "audit/ptx/reach.h"

#include "audit/ptx/fragments.h"

enum { MATRIX_ROW = 16, MATRIX_ROWS = 8, TENSOR_MAP = 128 };

static int bytes_of(const swp_ptx_insn *insn)
{
    const int bytes = insn->type.bits ? insn->type.bits / 8 : 4;
    if (insn->kind == SWP_PTX_MAP_WRITE || insn->kind == SWP_PTX_MAP_READ)
        return TENSOR_MAP;
    if (swp_ptx_has(insn->name, "b128"))
        return 16;
    return bytes * (swp_ptx_has(insn->name, "f64") ? 2 : 1) *
           (swp_ptx_has(insn->name, "v4")   ? 4
            : swp_ptx_has(insn->name, "v2") ? 2
                                            : 1);
}

bool swp_ptx_is_matrix(const swp_ptx_insn *insn)
{
    return insn->kind == SWP_PTX_LDMATRIX || insn->kind == SWP_PTX_STMATRIX;
}

/* The first lanes name the rows of ldmatrix and stmatrix. */
static int rows_of(swp_slice name)
{
    const int matrices = swp_ptx_has(name, "x4") ? 4 : swp_ptx_has(name, "x2") ? 2 : 1;
    return matrices * (swp_ptx_has(name, "m16n16") ? 2 * MATRIX_ROWS : MATRIX_ROWS);
}

/* The rows of a fragment stand where one address and a stride say, as if lanes named them. False: the stride is not known. */
static bool name_rows(const swp_ptx_step *step, swp_ptx_reach *of, uint64_t *room)
{
    const swp_ptx_operand *operand = swp_ptx_operand_of(step->run->module, step->insn, 2);
    const uint64_t first = swp_ptx_lane(&of->address, swp_ptx_first_lane(step->lanes));
    swp_ptx_fragment fragment;
    uint64_t stride = 0;
    if (!swp_ptx_fragment_of(step->insn->name, &fragment))
        return false;
    if (operand && !swp_ptx_uniform_number(step, operand, &stride))
        return false;
    stride = operand ? stride * (uint64_t)fragment.element : (uint64_t)fragment.row;
    for (int row = 0; row < SWP_PTX_LANES; row++)
        room[row] = first + (uint64_t)row * stride;
    of->address = (swp_ptx_value){.state = SWP_PTX_VARYING, .lanes = room};
    of->bytes = fragment.row;
    of->lanes = swp_ptx_first_lanes(fragment.rows);
    return true;
}

bool swp_ptx_find_reach(const swp_ptx_step *step, swp_ptx_reach *of, uint64_t *room)
{
    of->lanes = step->lanes;
    of->bytes = bytes_of(step->insn);
    if (!swp_ptx_is_matrix(step->insn))
        return true;
    if (swp_code_slice_starts(step->insn->name, "wmma."))
        return name_rows(step, of, room);
    of->bytes = MATRIX_ROW;
    of->lanes &= swp_ptx_first_lanes(rows_of(step->insn->name));
    return true;
}
