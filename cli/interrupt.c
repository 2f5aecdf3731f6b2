/* SPDX-License-Identifier: Apache-2.0 */
/* Handles signals and an interval timer, which note the end, and waits in a way that sees what they noted. */
#include "interrupt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

/* A signal just before the wait does not cut it short, so it is done in slices. */
enum { MILLISECONDS_OF_SLICE = 20, SLICES_OF_GRACE = 5, MICROSECONDS = 1000000 };

/* A handler can only see globals. */
static volatile sig_atomic_t interrupted;
static volatile sig_atomic_t time_is_up;

static void note(int number)
{
    if (interrupted) {
        (void)signal(number, SIG_DFL);
        (void)raise(number);
    }
    interrupted = 1;
}

static void note_time(int number)
{
    (void)number;
    time_is_up = 1;
}

/* SA_RESTART is left out, so that a call that waits for a file returns. */
static void handle(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(number, &action, NULL);
}

void interrupt_catch(void)
{
    handle(SIGINT, note);
    handle(SIGTERM, note);
    handle(SIGALRM, note_time);
}

void interrupt_after(double seconds)
{
    const time_t whole = (time_t)seconds;
    const suseconds_t rest = (suseconds_t)((seconds - (double)whole) * MICROSECONDS);
    const struct itimerval timer = {
        .it_value = {whole, whole == 0 && seconds > 0 ? rest + 1 : rest}};
    (void)setitimer(ITIMER_REAL, &timer, NULL);
    time_is_up = 0;
}

bool interrupt_seen(void)
{
    return interrupted != 0;
}

bool interrupt_wait(int fd, short events)
{
    for (int slices = 0; slices < SLICES_OF_GRACE; slices += interrupted || time_is_up) {
        struct pollfd file = {.fd = fd, .events = events};
        const int ready = poll(&file, 1, MILLISECONDS_OF_SLICE);
        /* read() or write() will report what is wrong with the file. */
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return true;
    }
    return false;
}

double interrupt_clock(void)
{
    struct timespec time = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}
