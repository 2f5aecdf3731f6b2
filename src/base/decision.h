/* SPDX-License-Identifier: Apache-2.0 */
/* What a search for something says of it. */
#ifndef SWP_BASE_DECISION_H
#define SWP_BASE_DECISION_H

typedef enum swp_decision { SWP_FOUND, SWP_REFUTED, SWP_UNDECIDED } swp_decision;

#endif
