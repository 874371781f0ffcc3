/* SPDX-License-Identifier: MIT */
/* server.h: a compiler that is loaded once for many jobs (pass/serve.h).
 *
 *     struct server server;
 *     if (server_begin(&server, libdir) == 0) {
 *             server_give(&server, argv, environment, "log");       then server.from can be read when the job has ended
 *             server_wait(&server, &status);                        false: the server is gone, and the job may not be done
 *     }
 *     server_end(&server);
 *
 * One job at a time. A server that cannot be started is no failure: compilers can be started one by one. */
#ifndef SKEIN_RELINK_PIECES_SERVER_H
#define SKEIN_RELINK_PIECES_SERVER_H

#include <stdbool.h>
#include "base/spawn.h"

struct server {
	struct spawn spawn;
	int to, from; /* -1: there is none */
};

int server_begin(struct server *server, const char *libdir);
bool server_give(struct server *server, char *const *argv, char *const *environment, const char *errors);
bool server_wait(struct server *server, int *status); /* status as spawn_wait has it */
void server_end(struct server *server);

#endif
