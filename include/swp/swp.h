/* SPDX-License-Identifier: Apache-2.0 */
/** @file swp.h  The whole public API. Start reading at compile.h. */
#ifndef SWP_SWP_H
#define SWP_SWP_H

#include "swp/audit.h"
#include "swp/body.h"
#include "swp/certificate.h"
#include "swp/certify.h"
#include "swp/certify_loop.h"
#include "swp/character.h"
#include "swp/compile.h"
#include "swp/config.h"
#include "swp/context.h"
#include "swp/describe.h"
#include "swp/diff.h"
#include "swp/emit.h"
#include "swp/explain.h"
#include "swp/fields.h"
#include "swp/geometry.h"
#include "swp/graph.h"
#include "swp/kernels.h"
#include "swp/loop.h"
#include "swp/loop_compile.h"
#include "swp/phase.h"
#include "swp/problem.h"
#include "swp/program.h"
#include "swp/reference.h"
#include "swp/report.h"
#include "swp/run.h"
#include "swp/simulate.h"
#include "swp/solve.h"
#include "swp/suggest.h"
#include "swp/sync.h"
#include "swp/target.h"
#include "swp/types.h"
#include "swp/version.h"

#endif
