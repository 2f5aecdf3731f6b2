/* SPDX-License-Identifier: Apache-2.0 */
/* Names the outcomes of a search: found, refuted, or undecided. */
#ifndef SWP_BASE_DECISION_H
#define SWP_BASE_DECISION_H

typedef enum swp_decision { SWP_FOUND, SWP_REFUTED, SWP_UNDECIDED } swp_decision;

#endif
