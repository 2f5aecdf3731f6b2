/* SPDX-License-Identifier: Apache-2.0 */
/* Notes Ctrl-C, SIGTERM and the end of the time, also while the system is being waited for. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

/*
 * From this call on the first SIGINT or SIGTERM is noted, and all work ends with what there is. The
 * next one ends the process at once.
 */
void interrupt_catch(void);

/* After so many seconds no file is waited for any longer; 0: no limit. */
void interrupt_after(double seconds);

/* Returns whether a signal was noted. */
bool interrupt_seen(void);

/* Waits until the file can be read (POLLIN) or written (POLLOUT). Returns false if the wait has to end. */
bool interrupt_wait(int fd, short events);

/* Returns seconds since some moment. */
double interrupt_clock(void);

#endif
