/* SPDX-License-Identifier: MIT */
/* library.c: what functions of the C library read and write. models.c says what the words mean. Those behind an @ are read at
 * run time (core/input/calls.h). Functions that are called like a system call are there. */
#include "pass/input/input.h"

#include <stdlib.h>
#include <string.h>
#include "core/input/calls.h"

struct known {
	const char *name, *does;
	bool is_call;
};

#define KNOWN(name, does) {name, does, false}
#define BOTH(name, does) KNOWN(name, does), KNOWN(name "64", does)
#define SCAN(name, words) KNOWN(name, words), KNOWN("__isoc99_" name, words), KNOWN("__isoc23_" name, words)

static const struct known library[] = {
	/* memory */
	KNOWN("_ZdaPv", "."), KNOWN("_ZdaPvm", "."), KNOWN("_ZdlPv", "."), KNOWN("_ZdlPvm", "."), KNOWN("_Znam", ". fresh"),
	KNOWN("_Znwm", ". fresh"), KNOWN("aligned_alloc", ". fresh"), KNOWN("calloc", ". cleared"), KNOWN("free", "."),
	KNOWN("malloc", ". fresh"), KNOWN("memalign", ". fresh"), KNOWN("realloc", ". moved"), KNOWN("_ZdlPvmSt11align_val_t", "."),
	KNOWN("_ZdlPvSt11align_val_t", "."), KNOWN("_ZdaPvmSt11align_val_t", "."), KNOWN("_ZdaPvSt11align_val_t", "."),
	KNOWN("_ZnwmRKSt9nothrow_t", ". fresh"), KNOWN("_ZnamRKSt9nothrow_t", ". fresh"), KNOWN("_ZnwmSt11align_val_t", ". fresh"),
	KNOWN("_ZnamSt11align_val_t", ". fresh"), KNOWN("valloc", ". fresh"), KNOWN("pvalloc", ". fresh"), KNOWN("cfree", "."),
	KNOWN("posix_memalign", ". @made_at0"),
	/* memory and text */
	KNOWN("__memcpy_chk", ". R12 W02"), KNOWN("__memmove_chk", ". R12 W02"), KNOWN("__memset_chk", ". W02"),
	KNOWN("__stpcpy_chk", ". R1t1 W0t1"), KNOWN("__strcat_chk", ". append"), KNOWN("__strcpy_chk", ". R1t1 W0t1"),
	KNOWN("atof", ". number"), KNOWN("atoi", ". number"), KNOWN("atol", ". number"), KNOWN("atoll", ". number"),
	KNOWN("bcmp", ". compare"), KNOWN("bsearch", "."), KNOWN("memchr", ". find_some"), KNOWN("memcmp", ". compare"),
	KNOWN("memcpy", ". R12 W02"), KNOWN("memmove", ". R12 W02"), KNOWN("mempcpy", ". R12 W02"), KNOWN("memset", ". W02"),
	KNOWN("qsort", ". R0x12 W0x12"), KNOWN("stpcpy", ". R1t1 W0t1"), KNOWN("strcasecmp", ". compare_text"), KNOWN("strcat", ". append"),
	KNOWN("strchr", ". find"), KNOWN("strcmp", ". compare_text"), KNOWN("strcoll", ". R0t0 R1t1"), KNOWN("strcpy", ". R1t1 W0t1"),
	KNOWN("strcspn", ". R0s R1t1"), KNOWN("strdup", ". copied"), KNOWN("strlen", ". R0s"), KNOWN("strncasecmp", ". compare_some"),
	KNOWN("strncat", ". append"), KNOWN("strncmp", ". compare_some"), KNOWN("strncpy", ". padded"), KNOWN("strnlen", ". R0r"),
	KNOWN("strpbrk", ". find"), KNOWN("strrchr", ". R0t0"), KNOWN("strspn", ". R0s R1t1"), KNOWN("strstr", ". R0t0 R1t1"),
	KNOWN("strtod", ". number"), KNOWN("strtol", ". number"), KNOWN("strtoll", ". number"), KNOWN("strtoul", ". number"),
	KNOWN("strtoull", ". number"), KNOWN("memccpy", ". @copied_until"), KNOWN("memrchr", ". R02"), KNOWN("rawmemchr", ". find"),
	KNOWN("memmem", ". R01 R23"), KNOWN("strchrnul", ". find"), KNOWN("index", ". find"), KNOWN("rindex", ". R0t0"),
	KNOWN("strcasestr", ". R0t0 R1t1"), KNOWN("strndup", ". @duplicated"), KNOWN("__strdup", ". copied"),
	KNOWN("__strndup", ". @duplicated"), KNOWN("stpncpy", ". padded"), KNOWN("__strncpy_chk", ". padded"),
	KNOWN("__strncat_chk", ". append"), KNOWN("__stpncpy_chk", ". padded"), KNOWN("__mempcpy_chk", ". R12 W02"),
	KNOWN("strtok", ". @cut"), KNOWN("strtok_r", ". @R2#8 cut W2#8"), KNOWN("__strtok_r", ". @R2#8 cut W2#8"),
	KNOWN("strsep", ". @parted0"), KNOWN("strverscmp", ". R0t0 R1t1"), KNOWN("strxfrm", ". R1t1 W0s"), KNOWN("bcopy", ". R02 W12"),
	KNOWN("bzero", ". W01"), KNOWN("explicit_bzero", ". W01"), KNOWN("__explicit_bzero_chk", ". W01"), KNOWN("swab", ". R02 W12"),
	KNOWN("strtof", ". number"), KNOWN("strtold", ". number"), KNOWN("strtoimax", ". number"), KNOWN("strtoumax", ". number"),
	KNOWN("strtoq", ". number"), KNOWN("strtouq", ". number"), KNOWN("__isoc23_strtol", ". number"),
	KNOWN("__isoc23_strtoul", ". number"), KNOWN("__isoc23_strtoll", ". number"), KNOWN("__isoc23_strtoull", ". number"),
	KNOWN("__strtol_internal", ". number"), KNOWN("qsort_r", ". R0x12 W0x12"), KNOWN("lfind", "."), KNOWN("lsearch", "."),
	KNOWN("tsearch", "."), KNOWN("tfind", "."), KNOWN("tdelete", "."), KNOWN("twalk", "."),
	/* wide text */
	KNOWN("wcslen", ". @R0w0"), KNOWN("wcsnlen", ". @R0*4"), KNOWN("wcscpy", ". @R1w1 W0w0"), KNOWN("wcsncpy", ". @R1x2#4 W0x2#4"),
	KNOWN("wcscat", ". @R0w0 R1w1 W0w0"), KNOWN("wcscmp", ". @R0w0 R1w1"), KNOWN("wcsncmp", ". @R0w0 R1w1"), KNOWN("wcschr", ". @R0w0"),
	KNOWN("wcsrchr", ". @R0w0"), KNOWN("wcsstr", ". @R0w0 R1w1"), KNOWN("wcspbrk", ". @R0w0 R1w1"), KNOWN("wcsspn", ". @R0w0 R1w1"),
	KNOWN("wcscspn", ". @R0w0 R1w1"), KNOWN("wcsdup", ". @duplicated_wide"), KNOWN("wcscasecmp", ". @R0w0 R1w1"),
	KNOWN("wcscoll", ". @R0w0 R1w1"), KNOWN("wmemcpy", ". @R1x2#4 W0x2#4"), KNOWN("wmemmove", ". @R1x2#4 W0x2#4"),
	KNOWN("wmempcpy", ". @R1x2#4 W0x2#4"), KNOWN("wmemset", ". @W0x2#4"), KNOWN("wmemcmp", ". @R0x2#4 R1x2#4"),
	KNOWN("wmemchr", ". @R0x2#4"), KNOWN("wcstol", ". @R0w0"), KNOWN("wcstoul", ". @R0w0"), KNOWN("wcstoll", ". @R0w0"),
	KNOWN("wcstoull", ". @R0w0"), KNOWN("wcstod", ". @R0w0"), KNOWN("mbstowcs", ". @R1t1 W0*4"), KNOWN("wcstombs", ". @R1w1 W0r"),
	KNOWN("mbtowc", ". @R1r W0+4"), KNOWN("wctomb", ". @W0r"), KNOWN("mbrtowc", ". @R1r2 W0+4"), KNOWN("wcrtomb", ". @W0r"),
	KNOWN("mblen", ". @R0r"),
	/* streams: what they return is from outside; characters that are returned (getc) are in no memory of the program */
	KNOWN("__fread_chk", "K0xr2"), KNOWN("__fread_unlocked_chk", "K0xr2"), KNOWN("__fgets_unlocked_chk", "@K=t="),
	KNOWN("fgets", "line"), KNOWN("fgets_unlocked", "line"), KNOWN("fread", "K0xr1"), KNOWN("fread_unlocked", "K0xr1"),
	KNOWN("fwrite", "R0x12"), KNOWN("fwrite_unlocked", "R0x12"), KNOWN("gets", "@K=t="), KNOWN("getline", "@grown0"),
	KNOWN("getdelim", "@grown0"), KNOWN("__getdelim", "@grown0"), KNOWN("fputs", "R0t0"), KNOWN("fputs_unlocked", "R0t0"),
	KNOWN("puts", "R0t0"), KNOWN("perror", "R0t0"), KNOWN("fgetws", "@K=w0"), KNOWN("fputws", "@R0w0"),
	KNOWN("open_memstream", "@W0#8 W1#8"), KNOWN("fmemopen", "."), KNOWN("__fgets_chk", "@K=t="), SCAN("scanf", "@scan:k0"),
	SCAN("fscanf", "@scan:k1"), SCAN("sscanf", ". @R0t0 scan:1"), SCAN("vscanf", "@scan:kv0"), SCAN("vfscanf", "@scan:kv1"),
	SCAN("vsscanf", ". @R0t0 scan:v1"), SCAN("wscanf", "@scan:kW0"), SCAN("fwscanf", "@scan:kW1"), SCAN("swscanf", ". @R0w0 scan:W1"),
	SCAN("vwscanf", "@scan:kvW0"), SCAN("vfwscanf", "@scan:kvW1"), SCAN("vswscanf", ". @R0w0 scan:vW1"), KNOWN("printf", "@print:0"),
	KNOWN("fprintf", "@print:1"), KNOWN("dprintf", "@print:1"), KNOWN("vprintf", "@print:v0"), KNOWN("vfprintf", "@print:v1"),
	KNOWN("vdprintf", "@print:v1"), KNOWN("sprintf", ". @print:1 W0s"), KNOWN("vsprintf", ". @print:v1 W0s"),
	KNOWN("snprintf", ". @print:2 W0s1"), KNOWN("vsnprintf", ". @print:v2 W0s1"), KNOWN("asprintf", ". @print:1 text_made_at0"),
	KNOWN("vasprintf", ". @print:v1 text_made_at0"), KNOWN("__printf_chk", "@print:1"), KNOWN("__fprintf_chk", "@print:2"),
	KNOWN("__dprintf_chk", "@print:2"), KNOWN("__vprintf_chk", "@print:v1"), KNOWN("__vfprintf_chk", "@print:v2"),
	KNOWN("__sprintf_chk", ". @print:3 W0s"), KNOWN("__vsprintf_chk", ". @print:v3 W0s"), KNOWN("__snprintf_chk", ". @print:4 W0s1"),
	KNOWN("__vsnprintf_chk", ". @print:v4 W0s1"), KNOWN("__asprintf_chk", ". @print:2 text_made_at0"),
	KNOWN("__vasprintf_chk", ". @print:v2 text_made_at0"), KNOWN("syslog", "@print:1"), KNOWN("__syslog_chk", "@print:2"),
	KNOWN("__vsyslog_chk", "@print:v2"), KNOWN("__vdprintf_chk", "@print:v2"), KNOWN("vsyslog", "@print:v1"), KNOWN("err", "@print:1"),
	KNOWN("warn", "@print:0"), KNOWN("warnx", "@print:0"), KNOWN("wprintf", "@print:W0"), KNOWN("fwprintf", "@print:W1"),
	KNOWN("swprintf", ". @print:W2 W0w0"),
	/* patterns */
	KNOWN("regexec", ". @R1t1 W3x2#8"), KNOWN("regcomp", ". @R1t1 W0#64"), KNOWN("regfree", "."), KNOWN("fnmatch", ". @R0t0 R1t1"),
	/* files and folders */
	KNOWN("pread", "@K1r"), KNOWN("pwrite", "@R12"), KNOWN("preadv64", "@R1x2#16 K1i2"), KNOWN("pwritev64", "@R1x2#16 R1i2"),
	KNOWN("__read_chk", "@K1r"), KNOWN("__pread_chk", "@K1r"), KNOWN("__pread64_chk", "@K1r"), KNOWN("open64", "@R0t0"),
	KNOWN("openat64", "@R1t1"), KNOWN("creat64", "@R0t0"), KNOWN("__open_2", "@R0t0"), KNOWN("__open64_2", "@R0t0"),
	BOTH("fopen", "@R0t0 R1t1"), BOTH("freopen", "@R0t0 R1t1"), KNOWN("fdopen", "@R1t1"), KNOWN("stat64", "@R0t0 K1#144"),
	KNOWN("lstat64", "@R0t0 K1#144"), KNOWN("fstat64", "@K1#144"), BOTH("fstatat", "@R1t1 K2#144"), BOTH("__xstat", "@R1t1 K2#144"),
	BOTH("__lxstat", "@R1t1 K2#144"), BOTH("__fxstat", "@K2#144"), BOTH("__fxstatat", "@R2t2 K3#144"),
	KNOWN("statfs64", "@R0t0 K1#120"), KNOWN("fstatfs64", "@K1#120"), BOTH("statvfs", "@R0t0 K1#112"), BOTH("fstatvfs", "@K1#112"),
	KNOWN("opendir", "@R0t0"), BOTH("readdir", "@entry"), BOTH("readdir_r", "@entry_copied"), BOTH("scandir", "@R0t0 entries"),
	KNOWN("__readlink_chk", "@R0t0 K1r"), KNOWN("__readlinkat_chk", "@R1t1 K2r"), KNOWN("getcwd", "@K=t="),
	KNOWN("__getcwd_chk", "@K=t="), KNOWN("getwd", "@K=t="), KNOWN("get_current_dir_name", "@made K=t="),
	KNOWN("realpath", "@R0t0 K=t="), KNOWN("__realpath_chk", "@R0t0 K=t="), KNOWN("remove", "@R0t0"), KNOWN("mkstemp", "@R0t0 W0t0"),
	KNOWN("mkstemp64", "@R0t0 W0t0"), KNOWN("mkdtemp", "@R0t0 W0t0"), KNOWN("mkostemp", "@R0t0 W0t0"), KNOWN("euidaccess", "@R0t0"),
	KNOWN("eaccess", "@R0t0"), KNOWN("truncate64", "@R0t0"), KNOWN("mkfifo", "@R0t0"), KNOWN("lutimes", "@R0t0 R1#32"),
	KNOWN("futimes", "@R1#32"), KNOWN("futimens", "@R1#32"), KNOWN("sendfile64", "@R2#8 K2#8"), KNOWN("fcntl64", "@control"),
	KNOWN("tcgetattr", "@K1#60"), KNOWN("tcsetattr", "@R2#60"), KNOWN("ptsname_r", "@Z1t1"), KNOWN("ttyname_r", "@Z1t1"),
	KNOWN("ttyname", "@K=t="), KNOWN("isatty", ""), KNOWN("dlopen", "@R0t0"), KNOWN("dlsym", ". @R1t1"), KNOWN("pathconf", "@R0t0"),
	KNOWN("tempnam", "@made K=t="), KNOWN("ftok", "@R0t0"), KNOWN("mmap64", "@mapped"), KNOWN("shmdt", ""),
	KNOWN("aio_return", "@asked0"), KNOWN("aio_return64", "@asked0"), KNOWN("aio_read", "@R0#168"), KNOWN("aio_read64", "@R0#168"),
	KNOWN("aio_write", "@R0#168"), KNOWN("aio_write64", "@R0#168"), KNOWN("aio_error", ""), KNOWN("aio_error64", ""),
	/* sockets, queues, names */
	KNOWN("recv", "@K1r2"), KNOWN("__recv_chk", "@K1r2"), KNOWN("__recvfrom_chk", "@R6#4 K1r2 K5v6 K6#4"), KNOWN("send", "@R12"),
	KNOWN("mq_receive", "@K1r K3#4"), KNOWN("mq_send", "@R12"), KNOWN("mq_getattr", "@K1#64"), KNOWN("mq_setattr", "@R1#64 K2#64"),
	KNOWN("mq_open", "@R0t0"), KNOWN("getaddrinfo", "@R0t0 R1t1 R2#48 addresses"), KNOWN("freeaddrinfo", ""),
	KNOWN("getnameinfo", "@R01 K2t2 K4t4"), KNOWN("gethostbyname", "@R0t0 K=#32"), KNOWN("inet_pton", ". @R1t1 address2"),
	KNOWN("inet_ntop", ". @R1#4 W=t="), KNOWN("inet_addr", ". @R0t0"), KNOWN("inet_aton", ". @R0t0 W1+4"),
	KNOWN("inet_ntoa", ". @W=t="), KNOWN("gethostname", "@Z0t0"), KNOWN("__gethostname_chk", "@Z0t0"), KNOWN("getdomainname", "@Z0t0"),
	KNOWN("getlogin_r", "@Z0t0"), KNOWN("getlogin", "@K=t="), KNOWN("getifaddrs", "@W0#8"), KNOWN("if_nametoindex", "@R0t0"),
	KNOWN("if_indextoname", "@K=t="), KNOWN("getpwnam", "@R0t0 K=#48"), KNOWN("getpwuid", "@K=#48"), KNOWN("getgrnam", "@R0t0 K=#32"),
	KNOWN("getgrgid", "@K=#32"),
	/* waiting */
	KNOWN("ppoll", "@polled R2#16 R3#8"), KNOWN("__poll_chk", "@polled"), KNOWN("__ppoll_chk", "@polled R2#16 R3#8"),
	KNOWN("pselect", "@chosen R4#16 R5#8"), KNOWN("wait", "@K0+4"), KNOWN("waitpid", "@K1+4"), KNOWN("wait3", "@K0+4 K2+144"),
	KNOWN("sigprocmask", "@R1#8 K2#8"), KNOWN("pthread_sigmask", "@R1#8 K2#8"), KNOWN("sigaction", "@R1#152 K2#152"),
	KNOWN("sigpending", "@K0#8"), KNOWN("sigwait", "@R0#8 K1#4"), KNOWN("sigwaitinfo", "@R0#8 K1#128"),
	KNOWN("sigtimedwait", "@R0#8 K1#128 R2#16"), KNOWN("sigsuspend", "@R0#8"), KNOWN("sigemptyset", ". @W0#128"),
	KNOWN("sigfillset", ". @W0#128"), KNOWN("sigaddset", ". @R0#8 W0#8"), KNOWN("sigdelset", ". @R0#8 W0#8"),
	KNOWN("sigismember", ". @R0#8"),
	/* time */
	KNOWN("timespec_get", ". @K0+16"), KNOWN("ftime", ". @K0#16"), KNOWN("timer_create", "@R1#64 W2#8"),
	KNOWN("adjtime", "@R0#16 K1#16"), KNOWN("ntp_gettime", "@K0#48"), KNOWN("gmtime_r", ". @R0#8 W1#56"),
	KNOWN("localtime_r", ". @R0#8 W1#56"), KNOWN("gmtime", ". @R0#8 W=#56"), KNOWN("localtime", ". @R0#8 W=#56"),
	KNOWN("mktime", ". @R0#36 W0#56"), KNOWN("timegm", ". @R0#36 W0#56"), KNOWN("strftime", ". @R2t2 R3#56 W0s"),
	KNOWN("asctime_r", ". @R0#36 W=t="), KNOWN("ctime_r", ". @R0#8 W=t="), KNOWN("asctime", ". @R0#36 W=t="),
	KNOWN("ctime", ". @R0#8 W=t="), KNOWN("strptime", ". @R0t0 R1t1 W2#56"),
	/* the system, the process */
	KNOWN("syscall", "@by_number"), KNOWN("getentropy", ". @K01"), KNOWN("arc4random_buf", ". @K01"),
	KNOWN("sched_getaffinity", ". @K21"), KNOWN("pthread_getaffinity_np", ". @K21"), KNOWN("pthread_setaffinity_np", "@R21"),
	KNOWN("getloadavg", "@K0*8"), KNOWN("getrlimit64", ". @K1#16"), KNOWN("setrlimit64", "@R1#16"), KNOWN("prlimit", "@R2#16 K3#16"),
	KNOWN("pthread_getname_np", ". @Z1t1"), KNOWN("pthread_setname_np", "@R1t1"), KNOWN("confstr", ". @K1r2"),
	KNOWN("getenv", ". @R0t0"), KNOWN("secure_getenv", ". @R0t0"), KNOWN("setenv", "@R0t0 R1t1"), KNOWN("unsetenv", "@R0t0"),
	KNOWN("putenv", "@R0t0"), KNOWN("system", "@R0t0"), KNOWN("popen", "@R0t0 R1t1"), KNOWN("execv", "@R0t0"), KNOWN("execvp", "@R0t0"),
	KNOWN("posix_spawn", "@R1t1 texts4 texts5 W0#4"), KNOWN("posix_spawnp", "@R1t1 texts4 texts5 W0#4"), KNOWN("setlocale", "@R1t1"),
	KNOWN("frexp", ". @W1#4"), KNOWN("frexpf", ". @W1#4"), KNOWN("modf", ". @W1#8"), KNOWN("modff", ". @W1#4"),
	KNOWN("sincos", ". @W1#8 W2#8"), KNOWN("sincosf", ". @W1#4 W2#4"), KNOWN("rand_r", ". @R0#4 W0#4"), KNOWN("remquo", ". @W2#4"),
	KNOWN("drand48_r", ". @R0#24 W0#24 W1#8")};

static const struct known calls[] = {
#define X(name, words) {#name, words, true},
	INPUT_CALL_LIST(X)
#undef X
};

enum { LIBRARY = sizeof library / sizeof *library, CALLS = sizeof calls / sizeof *calls };
static struct known sorted[LIBRARY + CALLS];

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct known *)a)->name, ((const struct known *)b)->name);
}

static void sort_models(void)
{
	memcpy(sorted, library, sizeof library);
	memcpy(sorted + LIBRARY, calls, sizeof calls);
	qsort(sorted, LIBRARY + CALLS, sizeof *sorted, by_name);
}

bool input_model(const char *name, struct input_model *model)
{
	struct known key = {.name = name};
	if (!sorted[0].name)
		sort_models();
	const struct known *k = bsearch(&key, sorted, LIBRARY + CALLS, sizeof *sorted, by_name);
	if (!k)
		return input_model_cpp(name, model);
	const char *words = k->does;
	model->is_quiet = *words == '.';
	words += strspn(words, ". ");
	model->is_call = k->is_call || *words == '@';
	model->words = words + (*words == '@');
	return true;
}
