/* SPDX-License-Identifier: Apache-2.0 */
/* The progress line on standard error. */
#ifndef CLI_LINE_H
#define CLI_LINE_H

/* Shows how the work stands that has taken so many seconds; soon again, and it takes the line's place. */
void line_show(double seconds, const char *line);

/* Shows for how long the command has been at work, where nothing else was shown for a second. */
void line_at_work(void);

/* Erases the line, before anything else is written. */
void line_clear(void);

#endif
