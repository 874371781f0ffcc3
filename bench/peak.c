/* SPDX-License-Identifier: MIT */
/* peak.c: peak FILE COMMAND…: runs the command and appends to FILE how many kB its largest process had. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct rusage use;
	int status = 0;
	pid_t child = argc > 2 ? fork() : -1;
	if (child == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	FILE *to = child > 0 ? fopen(argv[1], "a") : NULL;
	if (!to || waitpid(child, &status, 0) != child || getrusage(RUSAGE_CHILDREN, &use) != 0)
		return 125;
	fprintf(to, "%ld\n", use.ru_maxrss);
	fclose(to);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
