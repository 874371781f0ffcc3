/* SPDX-License-Identifier: MIT */
/* real.h: the functions behind the interposers, as a table of pointers.
 *
 * WAIT_LIST has every function whose shim only marks the wait (see interpose/wait.c), STDIO_LIST those of stdio
 * (interpose/stdio.c); REAL_LIST those with a special shim, and helpers that shims call. `real.read(…)` is the next
 * definition of read after Skein's. Libraries may call a shim before Skein's constructor has run: until then each
 * pointer leads to a stub that fills the table and calls again. Symbol lookup allocates nothing as long as it finds
 * what it looks for.
 *
 * Some libc functions have an old version that is another function; VERSIONS_LIST names the one to take. */
#ifndef SKEIN_THREADS_REAL_H
#define SKEIN_THREADS_REAL_H

#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>

#undef fread_unlocked /* macros, when optimising */
#undef fwrite_unlocked

/* clang-format off */
#define VERSIONS_LIST(X)                        \
	X(posix_spawn, "GLIBC_2.15")            \
	X(posix_spawnp, "GLIBC_2.15")           \
	X(pthread_cond_signal, "GLIBC_2.3.2")   \
	X(pthread_cond_broadcast, "GLIBC_2.3.2") \
	X(pthread_cond_wait, "GLIBC_2.3.2")     \
	X(pthread_cond_timedwait, "GLIBC_2.3.2")
/* clang-format on */

/* kind, type, name, (parameters), (arguments) */
/* clang-format off */
#define WAIT_LIST(X)                                                                                                            \
	X(LOCK, int, pthread_mutex_clocklock, (pthread_mutex_t *m, clockid_t clock, const struct timespec *until), (m, clock, until)) \
	X(LOCK, int, pthread_rwlock_timedrdlock, (pthread_rwlock_t *l, const struct timespec *until), (l, until))                \
	X(LOCK, int, pthread_rwlock_timedwrlock, (pthread_rwlock_t *l, const struct timespec *until), (l, until))                \
	X(LOCK, int, pthread_rwlock_clockrdlock, (pthread_rwlock_t *l, clockid_t clock, const struct timespec *until), (l, clock, until)) \
	X(LOCK, int, pthread_rwlock_clockwrlock, (pthread_rwlock_t *l, clockid_t clock, const struct timespec *until), (l, clock, until)) \
	X(LOCK, int, mtx_timedlock, (mtx_t *m, const struct timespec *until), (m, until))                                       \
	X(LOCK, int, flock, (int fd, int operation), (fd, operation))                                                           \
	X(LOCK, int, lockf, (int fd, int command, off_t bytes), (fd, command, bytes))                                           \
	X(LOCK, int, lockf64, (int fd, int command, off64_t bytes), (fd, command, bytes))                                       \
	X(SEMAPHORE, int, sem_timedwait, (sem_t *s, const struct timespec *until), (s, until))                                       \
	X(SEMAPHORE, int, sem_clockwait, (sem_t *s, clockid_t clock, const struct timespec *until), (s, clock, until))               \
	X(SEMAPHORE, int, semop, (int id, struct sembuf *operations, size_t n), (id, operations, n))                                 \
	X(SEMAPHORE, int, semtimedop, (int id, struct sembuf *operations, size_t n, const struct timespec *timeout), (id, operations, n, timeout)) \
	X(CONDITION, int, pthread_cond_wait, (pthread_cond_t *c, pthread_mutex_t *m), (c, m))                                   \
	X(CONDITION, int, pthread_cond_timedwait, (pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until), (c, m, until)) \
	X(CONDITION, int, pthread_cond_clockwait, (pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *until), (c, m, clock, until)) \
	X(CONDITION, int, cnd_wait, (cnd_t *c, mtx_t *m), (c, m))                                                               \
	X(CONDITION, int, cnd_timedwait, (cnd_t *c, mtx_t *m, const struct timespec *until), (c, m, until))                     \
	X(BARRIER, int, pthread_barrier_wait, (pthread_barrier_t *b), (b))                                                      \
	X(SLEEP, unsigned, sleep, (unsigned seconds), (seconds))                                                                \
	X(SLEEP, int, usleep, (useconds_t us), (us))                                                                            \
	X(SLEEP, int, nanosleep, (const struct timespec *time, struct timespec *left), (time, left))                            \
	X(SLEEP, int, clock_nanosleep, (clockid_t clock, int flags, const struct timespec *time, struct timespec *left), (clock, flags, time, left)) \
	X(SLEEP, int, thrd_sleep, (const struct timespec *time, struct timespec *left), (time, left))                           \
	X(SLEEP, int, pause, (void), ())                                                                                        \
	X(SLEEP, int, sigsuspend, (const sigset_t *mask), (mask))                                                               \
	X(SLEEP, int, sigwait, (const sigset_t *set, int *number), (set, number))                                               \
	X(SLEEP, int, sigwaitinfo, (const sigset_t *set, siginfo_t *info), (set, info))                                         \
	X(SLEEP, int, sigtimedwait, (const sigset_t *set, siginfo_t *info, const struct timespec *timeout), (set, info, timeout)) \
	X(JOIN, pid_t, wait, (int *status), (status))                                                                           \
	X(JOIN, pid_t, waitpid, (pid_t pid, int *status, int options), (pid, status, options))                                  \
	X(JOIN, pid_t, wait3, (int *status, int options, struct rusage *usage), (status, options, usage))                       \
	X(JOIN, pid_t, wait4, (pid_t pid, int *status, int options, struct rusage *usage), (pid, status, options, usage))       \
	X(JOIN, int, waitid, (idtype_t type, id_t id, siginfo_t *info, int options), (type, id, info, options))                 \
	X(JOIN, int, system, (const char *command), (command))                                                                  \
	X(JOIN, int, pclose, (FILE *stream), (stream))                                                                          \
	X(IO, ssize_t, read, (int fd, void *to, size_t bytes), (fd, to, bytes))                                                 \
	X(IO, ssize_t, write, (int fd, const void *from, size_t bytes), (fd, from, bytes))                                      \
	X(IO, ssize_t, pread, (int fd, void *to, size_t bytes, off_t at), (fd, to, bytes, at))                                  \
	X(IO, ssize_t, pread64, (int fd, void *to, size_t bytes, off64_t at), (fd, to, bytes, at))                              \
	X(IO, ssize_t, pwrite, (int fd, const void *from, size_t bytes, off_t at), (fd, from, bytes, at))                       \
	X(IO, ssize_t, pwrite64, (int fd, const void *from, size_t bytes, off64_t at), (fd, from, bytes, at))                   \
	X(IO, ssize_t, readv, (int fd, const struct iovec *to, int n), (fd, to, n))                                             \
	X(IO, ssize_t, writev, (int fd, const struct iovec *from, int n), (fd, from, n))                                        \
	X(IO, ssize_t, preadv, (int fd, const struct iovec *to, int n, off_t at), (fd, to, n, at))                              \
	X(IO, ssize_t, preadv64, (int fd, const struct iovec *to, int n, off64_t at), (fd, to, n, at))                          \
	X(IO, ssize_t, preadv2, (int fd, const struct iovec *to, int n, off_t at, int flags), (fd, to, n, at, flags))           \
	X(IO, ssize_t, preadv64v2, (int fd, const struct iovec *to, int n, off64_t at, int flags), (fd, to, n, at, flags))      \
	X(IO, ssize_t, pwritev, (int fd, const struct iovec *from, int n, off_t at), (fd, from, n, at))                         \
	X(IO, ssize_t, pwritev64, (int fd, const struct iovec *from, int n, off64_t at), (fd, from, n, at))                     \
	X(IO, ssize_t, pwritev2, (int fd, const struct iovec *from, int n, off_t at, int flags), (fd, from, n, at, flags))      \
	X(IO, ssize_t, pwritev64v2, (int fd, const struct iovec *from, int n, off64_t at, int flags), (fd, from, n, at, flags)) \
	X(IO, ssize_t, __read_chk, (int fd, void *to, size_t bytes, size_t room), (fd, to, bytes, room))                        \
	X(IO, ssize_t, __pread_chk, (int fd, void *to, size_t bytes, off_t at, size_t room), (fd, to, bytes, at, room))         \
	X(IO, ssize_t, __pread64_chk, (int fd, void *to, size_t bytes, off64_t at, size_t room), (fd, to, bytes, at, room))     \
	X(IO, ssize_t, sendfile, (int to, int from, off_t *at, size_t bytes), (to, from, at, bytes))                            \
	X(IO, ssize_t, sendfile64, (int to, int from, off64_t *at, size_t bytes), (to, from, at, bytes))                        \
	X(IO, ssize_t, splice, (int from, off64_t *from_at, int to, off64_t *to_at, size_t bytes, unsigned flags), (from, from_at, to, to_at, bytes, flags)) \
	X(IO, ssize_t, copy_file_range, (int from, off64_t *from_at, int to, off64_t *to_at, size_t bytes, unsigned flags), (from, from_at, to, to_at, bytes, flags)) \
	X(IO, int, fsync, (int fd), (fd))                                                                                       \
	X(IO, int, fdatasync, (int fd), (fd))                                                                                   \
	X(IO, int, syncfs, (int fd), (fd))                                                                                      \
	X(IO, int, msync, (void *at, size_t bytes, int flags), (at, bytes, flags))                                              \
	X(IO, int, tcdrain, (int fd), (fd))                                                                                     \
	X(IO, ssize_t, recv, (int fd, void *to, size_t bytes, int flags), (fd, to, bytes, flags))                               \
	X(IO, ssize_t, recvfrom, (int fd, void *to, size_t bytes, int flags, __SOCKADDR_ARG from, socklen_t *length), (fd, to, bytes, flags, from, length)) \
	X(IO, ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags))                              \
	X(IO, int, recvmmsg, (int fd, struct mmsghdr *messages, unsigned n, int flags, struct timespec *timeout), (fd, messages, n, flags, timeout)) \
	X(IO, ssize_t, __recv_chk, (int fd, void *to, size_t bytes, size_t room, int flags), (fd, to, bytes, room, flags))      \
	X(IO, ssize_t, __recvfrom_chk, (int fd, void *to, size_t bytes, size_t room, int flags, __SOCKADDR_ARG from, socklen_t *length), (fd, to, bytes, room, flags, from, length)) \
	X(IO, ssize_t, send, (int fd, const void *from, size_t bytes, int flags), (fd, from, bytes, flags))                     \
	X(IO, ssize_t, sendto, (int fd, const void *from, size_t bytes, int flags, __CONST_SOCKADDR_ARG to, socklen_t length), (fd, from, bytes, flags, to, length)) \
	X(IO, ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags))                        \
	X(IO, int, sendmmsg, (int fd, struct mmsghdr *messages, unsigned n, int flags), (fd, messages, n, flags))               \
	X(IO, int, accept, (int fd, __SOCKADDR_ARG from, socklen_t *length), (fd, from, length))                                \
	X(IO, int, accept4, (int fd, __SOCKADDR_ARG from, socklen_t *length, int flags), (fd, from, length, flags))             \
	X(IO, int, connect, (int fd, __CONST_SOCKADDR_ARG to, socklen_t length), (fd, to, length))                              \
	X(IO, int, poll, (struct pollfd *fds, nfds_t n, int timeout_ms), (fds, n, timeout_ms))                                  \
	X(IO, int, ppoll, (struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask), (fds, n, timeout, mask)) \
	X(IO, int, __poll_chk, (struct pollfd *fds, nfds_t n, int timeout_ms, size_t room), (fds, n, timeout_ms, room))         \
	X(IO, int, __ppoll_chk, (struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask, size_t room), (fds, n, timeout, mask, room)) \
	X(IO, int, select, (int n, fd_set *in, fd_set *out, fd_set *bad, struct timeval *timeout), (n, in, out, bad, timeout))  \
	X(IO, int, pselect, (int n, fd_set *in, fd_set *out, fd_set *bad, const struct timespec *timeout, const sigset_t *mask), (n, in, out, bad, timeout, mask)) \
	X(IO, int, epoll_wait, (int fd, struct epoll_event *events, int n, int timeout_ms), (fd, events, n, timeout_ms))        \
	X(IO, int, epoll_pwait, (int fd, struct epoll_event *events, int n, int timeout_ms, const sigset_t *mask), (fd, events, n, timeout_ms, mask)) \
	X(IO, int, epoll_pwait2, (int fd, struct epoll_event *events, int n, const struct timespec *timeout, const sigset_t *mask), (fd, events, n, timeout, mask)) \
	X(IO, ssize_t, msgrcv, (int id, void *message, size_t bytes, long type, int flags), (id, message, bytes, type, flags))  \
	X(IO, int, msgsnd, (int id, const void *message, size_t bytes, int flags), (id, message, bytes, flags))                 \
	X(IO, ssize_t, mq_receive, (mqd_t queue, char *to, size_t bytes, unsigned *priority), (queue, to, bytes, priority))     \
	X(IO, ssize_t, mq_timedreceive, (mqd_t queue, char *to, size_t bytes, unsigned *priority, const struct timespec *until), (queue, to, bytes, priority, until)) \
	X(IO, int, mq_send, (mqd_t queue, const char *from, size_t bytes, unsigned priority), (queue, from, bytes, priority))   \
	X(IO, int, mq_timedsend, (mqd_t queue, const char *from, size_t bytes, unsigned priority, const struct timespec *until), (queue, from, bytes, priority, until))
/* clang-format on */

/* type, name, (parameters), (arguments), true if the stream's buffer will do, the stream (see interpose/stdio.c) */
/* clang-format off */
#define STDIO_LIST(X)                                                                                                            \
	X(char *, fgets, (char *restrict to, int bytes, FILE *restrict f), (to, bytes, f), has_line(f, '\n', (size_t)bytes - 1), f) \
	X(char *, fgets_unlocked, (char *restrict to, int bytes, FILE *restrict f), (to, bytes, f), has_line(f, '\n', (size_t)bytes - 1), f) \
	X(char *, __fgets_chk, (char *restrict to, size_t room, int bytes, FILE *restrict f), (to, room, bytes, f), has_line(f, '\n', (size_t)bytes - 1), f) \
	X(ssize_t, getline, (char **restrict to, size_t *restrict bytes, FILE *restrict f), (to, bytes, f), has_line(f, '\n', SIZE_MAX), f) \
	X(ssize_t, getdelim, (char **restrict to, size_t *restrict bytes, int end, FILE *restrict f), (to, bytes, end, f), has_line(f, end, SIZE_MAX), f) \
	X(ssize_t, __getdelim, (char **restrict to, size_t *restrict bytes, int end, FILE *restrict f), (to, bytes, end, f), has_line(f, end, SIZE_MAX), f) \
	X(size_t, fread, (void *restrict to, size_t bytes, size_t n, FILE *restrict f), (to, bytes, n, f), unread(f) >= bytes * n, f)  \
	X(size_t, fread_unlocked, (void *restrict to, size_t bytes, size_t n, FILE *restrict f), (to, bytes, n, f), unread(f) >= bytes * n, f) \
	X(size_t, __fread_chk, (void *restrict to, size_t room, size_t bytes, size_t n, FILE *restrict f), (to, room, bytes, n, f), unread(f) >= bytes * n, f) \
	X(int, fgetc, (FILE *f), (f), unread(f), f)                                                                                 \
	X(int, getc, (FILE *f), (f), unread(f), f)                                                                                  \
	X(int, getchar, (void), (), unread(stdin), stdin)                                                                               \
	X(int, __uflow, (FILE *f), (f), false, f)                                                                                   \
	X(size_t, fwrite, (const void *restrict from, size_t bytes, size_t n, FILE *restrict f), (from, bytes, n, f), unwritten(f) >= bytes * n, f) \
	X(size_t, fwrite_unlocked, (const void *restrict from, size_t bytes, size_t n, FILE *restrict f), (from, bytes, n, f), unwritten(f) >= bytes * n, f) \
	X(int, fputs, (const char *restrict text, FILE *restrict f), (text, f), unwritten(f) >= strlen(text), f)                    \
	X(int, puts, (const char *text), (text), unwritten(stdout) > strlen(text), stdout)                                               \
	X(int, fflush, (FILE *f), (f), false, f)                                                                                    \
	X(int, fclose, (FILE *f), (f), false, f)
/* clang-format on */

/* type, name, (parameters), (arguments) */
/* clang-format off */
#define REAL_LIST(X)                                                                                                     \
	X(int, pthread_mutex_lock, (pthread_mutex_t *m), (m))                                                            \
	X(int, pthread_mutex_trylock, (pthread_mutex_t *m), (m))                                                         \
	X(int, pthread_mutex_timedlock, (pthread_mutex_t *m, const struct timespec *until), (m, until))                  \
	X(int, pthread_rwlock_rdlock, (pthread_rwlock_t *l), (l))                                                        \
	X(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t *l), (l))                                                     \
	X(int, pthread_rwlock_wrlock, (pthread_rwlock_t *l), (l))                                                        \
	X(int, pthread_rwlock_trywrlock, (pthread_rwlock_t *l), (l))                                                     \
	X(int, pthread_spin_lock, (pthread_spinlock_t *l), (l))                                                          \
	X(int, pthread_spin_trylock, (pthread_spinlock_t *l), (l))                                                       \
	X(int, sem_wait, (sem_t *s), (s))                                                                                \
	X(int, sem_trywait, (sem_t *s), (s))                                                                             \
	X(int, pthread_mutex_unlock, (pthread_mutex_t *m), (m))                                                          \
	X(int, pthread_rwlock_unlock, (pthread_rwlock_t *l), (l))                                                        \
	X(int, pthread_spin_unlock, (pthread_spinlock_t *l), (l))                                                        \
	X(int, mtx_unlock, (mtx_t *m), (m))                                                                              \
	X(int, pthread_cond_signal, (pthread_cond_t *c), (c))                                                            \
	X(int, pthread_cond_broadcast, (pthread_cond_t *c), (c))                                                         \
	X(int, cnd_signal, (cnd_t *c), (c))                                                                              \
	X(int, cnd_broadcast, (cnd_t *c), (c))                                                                           \
	X(int, sem_post, (sem_t *s), (s))                                                                                \
	X(int, sem_init, (sem_t *s, int shared, unsigned count), (s, shared, count))                                     \
	X(int, socketpair, (int domain, int type, int protocol, int *ends), (domain, type, protocol, ends))              \
	X(int, eventfd, (unsigned count, int flags), (count, flags))                                                     \
	X(int, pthread_detach, (pthread_t thread), (thread))                                                             \
	X(int, thrd_detach, (thrd_t thread), (thread))                                                                   \
	X(int, pthread_once, (pthread_once_t *control, void (*begin)(void)), (control, begin))                           \
	X(void, call_once, (once_flag *control, void (*begin)(void)), (control, begin))                                  \
	X(int, mtx_lock, (mtx_t *m), (m))                                                                                \
	X(int, mtx_trylock, (mtx_t *m), (m))                                                                             \
	X(int, fcntl, (int fd, int command, void *argument), (fd, command, argument))                                    \
	X(int, fcntl64, (int fd, int command, void *argument), (fd, command, argument))                                  \
	X(int, pthread_create, (pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *argument), (thread, attr, start, argument)) \
	X(int, pthread_join, (pthread_t thread, void **result), (thread, result))                                        \
	X(int, pthread_tryjoin_np, (pthread_t thread, void **result), (thread, result))                                  \
	X(int, pthread_timedjoin_np, (pthread_t thread, void **result, const struct timespec *until), (thread, result, until)) \
	X(int, pthread_clockjoin_np, (pthread_t thread, void **result, clockid_t clock, const struct timespec *until), (thread, result, clock, until)) \
	X(int, thrd_join, (thrd_t thread, int *result), (thread, result))                                                \
	X(int, pthread_setname_np, (pthread_t thread, const char *name), (thread, name))                                 \
	X(int, thrd_create, (thrd_t *thread, thrd_start_t start, void *argument), (thread, start, argument))             \
	X(int, unshare, (int flags), (flags))                                                                            \
	X(int, setns, (int fd, int type), (fd, type))                                                                    \
	X(int, prctl, (int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d), (option, a, b, c, d)) \
	X(long, syscall, (long number, long a, long b, long c, long d, long e), (number, a, b, c, d, e))                 \
	X(pid_t, _Fork, (void), ())                                                                                      \
	X(void, _exit, (int status), (status))                                                                           \
	X(int, execve, (const char *path, char *const argv[], char *const env[]), (path, argv, env))                     \
	X(int, execvpe, (const char *file, char *const argv[], char *const env[]), (file, argv, env))                    \
	X(int, fexecve, (int fd, char *const argv[], char *const env[]), (fd, argv, env))                                \
	X(int, execveat, (int fd, const char *path, char *const argv[], char *const env[], int flags), (fd, path, argv, env, flags)) \
	X(int, posix_spawn, (pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes, char *const argv[], char *const env[]), (pid, path, actions, attributes, argv, env)) \
	X(int, posix_spawnp, (pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes, char *const argv[], char *const env[]), (pid, file, actions, attributes, argv, env)) \
	X(void, longjmp, (struct __jmp_buf_tag *to, int value), (to, value))                                             \
	X(void, _longjmp, (struct __jmp_buf_tag *to, int value), (to, value))                                            \
	X(void, siglongjmp, (struct __jmp_buf_tag *to, int value), (to, value))                                          \
	X(void, __longjmp_chk, (struct __jmp_buf_tag *to, int value), (to, value))                                       \
	X(int, close, (int fd), (fd))                                                                                    \
	X(int, close_range, (unsigned first, unsigned last, int flags), (first, last, flags))                            \
	X(void, closefrom, (int first), (first))                                                                         \
	X(int, __isoc99_vfscanf, (FILE *f, const char *format, va_list list), (f, format, list))                          \
	X(void *, dlopen, (const char *path, int mode), (path, mode))                                                    \
	X(int, dlclose, (void *handle), (handle))                                                                        \
	X(int, munmap, (void *at, size_t bytes), (at, bytes))                                                            \
	X(int, madvise, (void *at, size_t bytes, int advice), (at, bytes, advice))                                       \
	X(int, sigaction, (int number, const struct sigaction *action, struct sigaction *old), (number, action, old))    \
	X(int, sigaltstack, (const stack_t *stack, stack_t *old), (stack, old))                                          \
	X(int, pthread_attr_getstack, (const pthread_attr_t *attr, void **low, size_t *bytes), (attr, low, bytes))       \
	X(int, sigprocmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old))                              \
	X(int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old))                          \
	X(long, ptrace, (enum __ptrace_request request, void *pid, void *at, void *data), (request, pid, at, data))     \
	X(sighandler_t, signal, (int number, sighandler_t handler), (number, handler))                                   \
	X(sighandler_t, sysv_signal, (int number, sighandler_t handler), (number, handler))                              \
	X(int, siginterrupt, (int number, int interrupts), (number, interrupts))                                         \
	X(ssize_t, readlink, (const char *path, char *to, size_t bytes), (path, to, bytes))                              \
	X(ssize_t, readlinkat, (int folder, const char *path, char *to, size_t bytes), (folder, path, to, bytes))        \
	X(ssize_t, __readlink_chk, (const char *path, char *to, size_t bytes, size_t room), (path, to, bytes, room))     \
	X(ssize_t, __readlinkat_chk, (int folder, const char *path, char *to, size_t bytes, size_t room), (folder, path, to, bytes, room))
/* clang-format on */

struct real {
#define X(kind, type, name, parameters, arguments) type(*name) parameters;
	WAIT_LIST(X)
#undef X
#define X(type, name, parameters, arguments, buffered, stream) type(*name) parameters;
	STDIO_LIST(X)
#undef X
#define X(type, name, parameters, arguments) type(*name) parameters;
	REAL_LIST(X)
#undef X
};

extern struct real real __attribute__((visibility("hidden")));

#define EXPORT __attribute__((visibility("default")))

#endif
