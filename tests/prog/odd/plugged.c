/* SPDX-License-Identifier: MIT */
/* plugged: a library that is loaded and closed often. Its constructor and destructor run each time that it comes and goes. */
static volatile unsigned came, went;

__attribute__((constructor)) static void comes(void)
{
	came++;
}

__attribute__((destructor)) static void goes(void)
{
	went++;
}

__attribute__((noinline)) unsigned plugged(unsigned i)
{
	return i * 2654435761u >> 7;
}
