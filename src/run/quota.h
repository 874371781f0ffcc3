/* SPDX-License-Identifier: MIT */
/* quota.h: how many cores the system lets this process have, apart from its affinity mask. */
#ifndef SKEIN_QUOTA_H
#define SKEIN_QUOTA_H

unsigned quota_cores_of(const char *process); /* the same of the process with that number */
unsigned quota_cores(void);                   /* of the tightest control group around us, rounded up; 0: there is no limit */

#endif
