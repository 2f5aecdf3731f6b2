/* SPDX-License-Identifier: Apache-2.0 */
/* Shows the progress line on standard error. */
#ifndef CLI_LINE_H
#define CLI_LINE_H

/* Shows the progress of work that has taken so many seconds. A later line takes its place. */
void line_show(double seconds, const char *line);

/* Shows for how long the command has been at work, if nothing else was shown for a second. */
void line_at_work(void);

/* Erases the line; call it before anything else is written. */
void line_clear(void);

#endif
