#define _GNU_SOURCE

#include "CVipsProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the calls of this architecture are not known to the filter of calls"
#endif

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

/// Refuses sockets, and calls of another architecture, which have other numbers, in this process and its children.
static int refuse_sockets(void) {
    static struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        // The calls of x32, which have a bit more.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 2, 0),
        // It opens sockets, too.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
    };
    struct sock_fprog filter = {.len = sizeof rules / sizeof *rules, .filter = rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return errno;
    if (!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) return 0;
    // A kernel without filters.
    return errno == EINVAL ? 0 : errno;
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
    if (!result) result = refuse_sockets();
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

static void close_pipe(int ends[2]) {
    if (ends[0] >= 0) close(ends[0]);
    if (ends[1] >= 0) close(ends[1]);
}

/// Becomes the program; only calls that are safe after `fork` in a process with threads.
static void become(
    const char *path, char *const arguments[], char *const environment[], rlim_t address_space, int input, int output,
    pid_t parent) {
    struct rlimit space = {.rlim_cur = address_space, .rlim_max = address_space};
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent || setrlimit(RLIMIT_AS, &space) || nowhere < 0 ||
        dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0)
        _exit(127);
    // There are no more, by the limit of this process.
    for (int descriptor = 3; descriptor < 64; descriptor++) close(descriptor);
    signal(SIGPIPE, SIG_DFL);
    execve(path, arguments, environment);
    _exit(127);
}

int photostream_start_child(
    const char *path, char *const arguments[], char *const environment[], int64_t address_space_bytes,
    photostream_child *child) {
    int input[2] = {-1, -1}, output[2] = {-1, -1};
    struct rlimit space;
    int result = 0;
    if (pipe2(input, O_CLOEXEC) || pipe2(output, O_CLOEXEC) || getrlimit(RLIMIT_AS, &space)) result = errno;
    rlim_t wanted = (rlim_t)address_space_bytes;
    if (!result && space.rlim_max != RLIM_INFINITY && space.rlim_max < wanted) wanted = space.rlim_max;
    pid_t parent = getpid(), process = result ? -1 : fork();
    if (process == 0) become(path, arguments, environment, wanted, input[0], output[1], parent);
    if (process < 0) {
        if (!result) result = errno;
        close_pipe(input);
        close_pipe(output);
        return result;
    }
    close(input[0]);
    close(output[1]);
    *child = (photostream_child){.process = process, .input = input[1], .output = output[0]};
    return 0;
}

int photostream_limit_child(int process, int64_t seconds) {
    clockid_t clock;
    struct timespec used;
    struct rlimit limits;
    int result = clock_getcpuclockid(process, &clock);
    if (result) return result;
    if (clock_gettime(clock, &used) || prlimit(process, RLIMIT_CPU, NULL, &limits)) return errno;
    rlim_t wanted = (rlim_t)(used.tv_sec + 1 + seconds);
    limits.rlim_cur = limits.rlim_max != RLIM_INFINITY && limits.rlim_max < wanted ? limits.rlim_max : wanted;
    return prlimit(process, RLIMIT_CPU, &limits, NULL) ? errno : 0;
}

int photostream_end_child(photostream_child *child) {
    int status = 0;
    close(child->input);
    close(child->output);
    kill(child->process, SIGKILL);
    while (waitpid(child->process, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
