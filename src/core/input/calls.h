/* SPDX-License-Identifier: MIT */
/* calls.h: what system calls do to the memory of a program, for the `input` lens.
 *
 * One list for the plugin, which finds functions of the C library by their names, and for the runtime, which finds
 * system calls by their numbers. A line is a call whose arguments are the same both ways, and a list of words, divided
 * by spaces. What happens, where, how much:
 *
 *     R read, W written, K left by the kernel, Z if the result is zero, E if a signal ended the call,
 *     S left by the kernel, or written if the first argument is a stream of C++ that reads a string
 *     0…6 at an argument, = at the result
 *     then the length in bytes:
 *         N      an argument                        #12    that many
 *         r      the result                         *12    the result times that many
 *         rN sN  … but no more than an argument     +12    that many, if the result is above zero
 *         s      the result and one                 xNM    a product of two arguments (xN#12: of one and a number)
 *         qr qN  the result or an argument, and a word before it
 *         tN t=  the text there, with its zero      vN     the number there behind the call, but no more than before it
 *         wN     the same, of wide characters
 *         iN     an argument's number of parts (struct iovec), up to the result
 *
 * Reads are told before the call, but for texts and parts, which need not be there if it fails. Nothing is written by a
 * call that fails, or to no address. A word in small letters is a function of its own (rt/input/calls.c), with the
 * digit at its end. A dot comes first if the call neither synchronises nor waits. Numbers of bytes are those of the processor (arch/arch.h). */
#ifndef SKEIN_INPUT_CALLS_H
#define SKEIN_INPUT_CALLS_H

/* Called in the same way as functions. */
/* clang-format off */
#define INPUT_CALL_LIST(X)                                                                     \
	/* files */                                                                            \
	X(read, "K1r") X(pread64, "K1r") X(readv, "R1x2#16 K1i2") X(preadv, "R1x2#16 K1i2") X(preadv2, "R1x2#16 K1i2") \
	X(write, "R12") X(pwrite64, "R12") X(writev, "R1x2#16 R1i2") X(pwritev, "R1x2#16 R1i2") X(pwritev2, "R1x2#16 R1i2") \
	X(open, "R0t0") X(openat, "R1t1") X(creat, "R0t0") X(access, "R0t0") X(faccessat, "R1t1") \
	X(stat, "R0t0 K1#144") X(lstat, "R0t0 K1#144") X(fstat, "K1#144") X(statx, "R1t1 K4#256") \
	X(statfs, "R0t0 K1#120") X(fstatfs, "K1#120")                                          \
	X(readlink, "R0t0 K1r") X(readlinkat, "R1t1 K2r") X(getdents64, "K1r")                 \
	X(mkdir, "R0t0") X(mkdirat, "R1t1") X(rmdir, "R0t0") X(unlink, "R0t0") X(unlinkat, "R1t1") X(mknod, "R0t0") X(mknodat, "R1t1") \
	X(rename, "R0t0 R1t1") X(renameat, "R1t1 R3t3") X(renameat2, "R1t1 R3t3")              \
	X(link, "R0t0 R1t1") X(linkat, "R1t1 R3t3") X(symlink, "R0t0 R1t1") X(symlinkat, "R0t0 R2t2") \
	X(chdir, "R0t0") X(chroot, "R0t0") X(chmod, "R0t0") X(fchmodat, "R1t1")                \
	X(chown, "R0t0") X(lchown, "R0t0") X(fchownat, "R1t1") X(truncate, "R0t0")             \
	X(utime, "R0t0 R1#16") X(utimes, "R0t0 R1#32") X(utimensat, "R1t1 R2#32")              \
	X(sendfile, "R2#8 K2#8") X(copy_file_range, "R1#8 R3#8 K1#8 K3#8") X(splice, "R1#8 R3#8 K1#8 K3#8") X(vmsplice, "R1x2#16 R1i2") \
	X(getxattr, "R0t0 R1t1 K2r3") X(lgetxattr, "R0t0 R1t1 K2r3") X(fgetxattr, "R1t1 K2r3") \
	X(setxattr, "R0t0 R1t1 R23") X(lsetxattr, "R0t0 R1t1 R23") X(fsetxattr, "R1t1 R23")    \
	X(listxattr, "R0t0 K1r2") X(llistxattr, "R0t0 K1r2") X(flistxattr, "K1r2")             \
	X(removexattr, "R0t0 R1t1") X(memfd_create, "R0t0") X(inotify_add_watch, "R1t1")       \
	X(fcntl, "control") X(ioctl, "control_device")                                         \
	/* memory */                                                                           \
	X(mmap, "mapped") X(munmap, "unmapped") X(mremap, "remapped")   \
	X(shmat, "attached") X(process_vm_readv, "R1x2#16 R3x4#16 K1i2") X(process_vm_writev, "R1x2#16 R3x4#16 R1i2") \
	/* sockets, pipes, queues */                                                           \
	X(pipe, "K0#8") X(pipe2, "K0#8") X(socketpair, "K3#8")                                 \
	X(bind, "R12") X(connect, "R12") X(sendto, "R12 R45") X(recvfrom, "R5#4 K1r2 K4v5 K5#4") \
	X(accept, "R2#4 K1v2 K2#4") X(accept4, "R2#4 K1v2 K2#4")                               \
	X(getsockname, "R2#4 K1v2 K2#4") X(getpeername, "R2#4 K1v2 K2#4")                      \
	X(getsockopt, "R4#4 K3v4 K4#4") X(setsockopt, "R34")                                   \
	X(sendmsg, "sent1") X(recvmsg, "received1") X(sendmmsg, "all_sent1") X(recvmmsg, "all_received1 R4#16") \
	X(msgsnd, "R1q2") X(msgrcv, "K1qr") X(semop, "R1x2#6") X(semtimedop, "R1x2#6 R3#16")     \
	/* waiting */                                                                          \
	X(poll, "polled") X(select, "chosen R4#16 K4#16")                                      \
	X(epoll_wait, "K1*12") X(epoll_pwait, "R4#8 K1*12") X(epoll_pwait2, "R3#16 R4#8 K1*12") X(epoll_ctl, "R3#12") \
	X(wait4, "K1+4 K3+144") X(waitid, "K2#128 K4#144")                                     \
	X(nanosleep, "R0#16 E1#16") X(clock_nanosleep, "R2#16 E3#16")                          \
	X(io_getevents, "served3 R4#16") X(io_setup, "K1#8")                                     \
	X(io_uring_setup, "behind K1#120") X(io_uring_enter, "behind") X(io_uring_register, "behind") \
	/* time */                                                                             \
	X(time, ". K0#8") X(gettimeofday, ". K0#16 K1#8") X(clock_gettime, ". K1#16") X(clock_getres, ". K1#16") X(clock_settime, "R1#16") \
	X(times, ". K0#32") X(getrusage, ". K1#144") X(getitimer, "K1#32") X(setitimer, "R1#32 K2#32") \
	X(timer_gettime, "K1#32") X(timer_settime, "R2#32 K3#32") X(timerfd_gettime, "K1#32") X(timerfd_settime, "R2#32 K3#32") \
	X(adjtimex, "R0#208 K0#208") X(clock_adjtime, "R1#208 K1#208")                         \
	/* the system, the process */                                                          \
	X(getrandom, ". K0r") X(uname, ". K0#390") X(sysinfo, ". K0#112")                      \
	X(getgroups, ". K1*4") X(setgroups, "R1x0#4") X(getresuid, ". K0#4 K1#4 K2#4") X(getresgid, ". K0#4 K1#4 K2#4") \
	X(sched_setaffinity, "R21") X(sched_getparam, ". K1#4") X(sched_setparam, "R1#4") X(sched_setscheduler, "R2#4") X(sched_rr_get_interval, ". K1#16") \
	X(getcpu, ". K0#4 K1#4") X(getrlimit, ". K1#16") X(setrlimit, "R1#16") X(prlimit64, "R2#16 K3#16") \
	X(prctl, "process") X(sigaltstack, "R0#24 K1#24") X(signalfd, "R1#8") X(execve, "R0t0") \
	X(sethostname, "R01") X(mq_timedsend, "R12 R4#16") X(mq_timedreceive, "R4#16 K1r K3#4")
/* clang-format on */

/* Numbers whose function is called in another way, or not at all. */
/* clang-format off */
#define INPUT_NUMBER_LIST(X)                                                                   \
	X(newfstatat, "R1t1 K2#144") X(getcwd, "K0r") X(getdents, "K1r") X(ppoll, "polled R2#16 K2#16 R3#8") X(pselect6, "chosen R4#16 K4#16") \
	X(rt_sigprocmask, "R1#8 K2#8") X(rt_sigaction, "R1#32 K2#32") X(rt_sigpending, "K0#8") X(rt_sigtimedwait, "R0#8 K1#128 R2#16") X(rt_sigsuspend, "R0#8") \
	X(sched_getaffinity, ". K2r") X(timer_create, "R1#64 K2#4") X(arch_prctl, "thread_word") X(faccessat2, "R1t1") X(signalfd4, "R1#8") \
	X(mq_open, "R0t0 R3#64") X(mq_unlink, "R0t0") X(mq_getsetattr, "R1#64 K2#64") X(openat2, "R1t1 R23") X(execveat, "R1t1")
/* clang-format on */

/* Numbers of calls that have to do with no memory, or as a lock has. */
/* clang-format off */
#define INPUT_QUIET_LIST(X) \
	X(close) X(lseek) X(mprotect) X(brk) X(rt_sigreturn) X(sched_yield) X(msync) X(madvise) X(shmget) X(dup) X(dup2) X(dup3) X(pause) X(alarm) X(getpid) \
	X(socket) X(shutdown) X(listen) X(clone) X(fork) X(vfork) X(exit) X(exit_group) X(kill) X(tkill) X(tgkill) X(semget) X(shmdt) X(msgget) X(flock) \
	X(fsync) X(fdatasync) X(ftruncate) X(fallocate) X(fchdir) X(fchmod) X(fchown) X(umask) X(getuid) X(getgid) X(geteuid) X(getegid) X(setuid) X(setgid) \
	X(setpgid) X(getppid) X(getpgrp) X(setsid) X(setreuid) X(setregid) X(setresuid) X(setresgid) X(getpgid) X(setfsuid) X(setfsgid) X(getsid) \
	X(personality) X(getpriority) X(setpriority) X(sched_getscheduler) X(sched_get_priority_max) X(sched_get_priority_min) X(mlock) X(munlock) \
	X(mlockall) X(munlockall) X(mlock2) X(sync) X(syncfs) X(gettid) X(readahead) X(futex) X(set_tid_address) X(set_robust_list) X(fadvise64) \
	X(timer_getoverrun) X(timer_delete) X(timerfd_create) X(inotify_init) X(inotify_init1) X(inotify_rm_watch) X(ioprio_set) X(ioprio_get) X(unshare) \
	X(setns) X(sync_file_range) X(tee) X(eventfd) X(eventfd2) X(epoll_create) X(epoll_create1) X(kcmp) X(membarrier) X(pkey_mprotect) X(pkey_alloc) \
	X(pkey_free) X(rseq) X(pidfd_open) X(close_range) X(restart_syscall) X(io_destroy) X(io_submit)
/* clang-format on */

#endif
