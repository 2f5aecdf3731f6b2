/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of warp roles: who has them, and how many a role may have (docs/loops.md, "Registers of a role"). */
#ifndef SWP_IR_LOOP_REGISTERS_H
#define SWP_IR_LOOP_REGISTERS_H

#include "swp/loop.h"

enum { SWP_NO_ROLE = -1 };

/* Whether a warp group issues the op. */
bool swp_ir_loop_is_wgmma(const swp_loop *loop, const swp_loop_op *op);

/* Warps of an instance: 4 where nobody says how many and an op of the role is, or may be, a wgmma. */
int swp_ir_loop_role_warps(const swp_loop *loop, int role);

/* Threads of all instances of a role. */
int swp_ir_loop_role_threads(const swp_loop *loop, int role);

/* Whether any role says how many registers a thread has. */
bool swp_ir_loop_states_registers(const swp_loop *loop);

/* Bytes of registers of all instances of a role; -1: it does not say. */
int64_t swp_ir_loop_role_bytes(const swp_loop *loop, int role);

/* Whether the op reads, writes or updates it. */
bool swp_ir_loop_accesses(const swp_loop_op *op, int value);

/* Whose registers a value has: those of the role of the first op that touches it. SWP_NO_ROLE: nobody's. */
int swp_ir_loop_role_of_value(const swp_loop *loop, int value);

/* Registers of a thread that so many bytes of a role come to. */
int64_t swp_ir_loop_role_registers(const swp_loop *loop, int role, int64_t bytes);

#endif
