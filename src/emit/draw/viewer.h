/* SPDX-License-Identifier: Apache-2.0 */
/* Provides the page that shows timelines: texts that the build embeds from viewer/. */
#ifndef SWP_EMIT_DRAW_VIEWER_H
#define SWP_EMIT_DRAW_VIEWER_H

#include "base/text.h"

/* Adds the text of a part: css, html or js. */
void swp_emit_viewer_add(swp_text *text, const char *part);

#endif
