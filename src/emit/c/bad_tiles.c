/* SPDX-License-Identifier: Apache-2.0 */
/* SWP_BAD_TILES(ctx, n), which a run calls that is given a number of tiles for which its schedule is not made. */
#include "emit/c/header.h"

#include <string.h>

static const char trap[] = "((void)(n), __trap())";

/*
 * With warp roles a fault, but no trap: of a kernel that has one, ptxas 13.0 and 13.5 keep what wgmmas do not write within the
 * registers of the launch, whatever setmaxnreg says, and spill the rest.
 */
static const char fault[] =
    "\\\n    asm volatile(\"st.global.u32 [%0], %1;\" ::\"l\"(0ull), \"r\"(n) : \"memory\")";

/*
 * Whatever the target, nvcc may read the header: then once for the device, where the host's builtin is an
 * error, and once for the host, where the device's is.
 */
void swp_c_put_bad_tiles(swp_c_header *header)
{
    const char *on_device = header->form->may_trap ? trap : fault;
    swp_text_format(&header->text, "#ifndef SWP_BAD_TILES\n"
                                   "#if defined(__CUDA_ARCH__)\n"
                                   "#define SWP_BAD_TILES(ctx, n) ");
    /* Formatted, its end of a line would be no end. */
    swp_text_add(&header->text, on_device, strlen(on_device));
    swp_text_format(&header->text, "\n#else\n"
                                   "#define SWP_BAD_TILES(ctx, n) ((void)(n), __builtin_trap())\n"
                                   "#endif\n"
                                   "#endif\n");
}
