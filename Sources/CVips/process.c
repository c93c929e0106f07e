#define _GNU_SOURCE

#include "CVipsProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <unistd.h>

static int limit(__rlimit_resource_t resource, rlim_t value) {
    struct rlimit limits;
    if (getrlimit(resource, &limits)) return errno;
    // A limit that is lower already stays.
    if (limits.rlim_max != RLIM_INFINITY && limits.rlim_max < value) value = limits.rlim_max;
    limits.rlim_cur = limits.rlim_max = value;
    return setrlimit(resource, &limits) ? errno : 0;
}

/// Makes this the first process that the system ends when it runs out of memory: a picture may be the reason, and the
/// server must not be the victim.
static void volunteer(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    // Where it fails, the system chooses.
    ssize_t written = write(file, "1000", 4);
    (void)written;
    close(file);
}

int photostream_limit_process(int64_t address_space_bytes) {
    volunteer();
    signal(SIGPIPE, SIG_IGN);
    // A write beyond the limit of file sizes fails, and the decoder says so.
    signal(SIGXFSZ, SIG_IGN);
    // Swift's runtime would write a trace of each crash, which takes seconds.
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP, SIGQUIT, SIGSYS};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL);
    // The limit of processor time ends a process by a signal, which its parent may have blocked.
    signal(SIGXCPU, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // Each arena of glibc reserves 128 MiB of addresses, and keeps what one big picture took.
    mallopt(M_ARENA_MAX, 2);
    int result = limit(RLIMIT_AS, (rlim_t)address_space_bytes);
    if (!result) result = limit(RLIMIT_NOFILE, 64);
    if (!result) result = limit(RLIMIT_FSIZE, 0);
    if (!result) result = limit(RLIMIT_CORE, 0);
    return result;
}

int photostream_limit_processor_time(int64_t seconds) {
    struct rusage used;
    struct rlimit limits;
    if (getrusage(RUSAGE_SELF, &used) || getrlimit(RLIMIT_CPU, &limits)) return errno;
    // Rounded up, and one more for what is used between here and the call.
    rlim_t wanted = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 2 + seconds);
    limits.rlim_cur = limits.rlim_max != RLIM_INFINITY && limits.rlim_max < wanted ? limits.rlim_max : wanted;
    return setrlimit(RLIMIT_CPU, &limits) ? errno : 0;
}

static void *wait_for_hang_up(void *context) {
    struct pollfd descriptor = {.fd = (int)(intptr_t)context, .events = 0};
    while (poll(&descriptor, 1, -1) < 0 && errno == EINTR) {
    }
    _exit(0);
}

int photostream_end_with_reader(int descriptor) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 64 * 1024);
    int result = pthread_create(&thread, &attributes, wait_for_hang_up, (void *)(intptr_t)descriptor);
    pthread_attr_destroy(&attributes);
    return result;
}
