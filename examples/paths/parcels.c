/* SPDX-License-Identifier: MIT */
/* parcels.c: the price of a parcel, its tests, and a day at the post office.
 *
 *     parcels            the tests
 *     parcels COUNT      that many parcels of a day
 *
 * The tests pass, and they see both ways of each branch: coverage of lines and of branches is whole. `skein record paths` finds that postage has four paths and that one of them
 * was never taken, that of a parcel which is heavy and goes abroad. There is the bug: such a parcel goes as cheaply as a light one. One in ten of a day is like that. */
#include <stdio.h>
#include <stdlib.h>

struct parcel {
	unsigned grams, zone; /* zone 0 is at home */
};

/* In cents, as everywhere. */
static unsigned overweight(unsigned grams)
{
	return (grams - 10000 + 999) / 1000 * 60;
}

static unsigned abroad(unsigned zone)
{
	return 900 + 350 * zone;
}

static unsigned postage(const struct parcel *p)
{
	unsigned price = 500;
	if (p->grams > 10000)
		price += overweight(p->grams);
	if (p->zone > 0)
		price = abroad(p->zone);
	return price;
}

/* Grams, zone and the right price of parcels at the limits. */
static const char known[] = "800 0 500\n10000 0 500\n10001 0 560\n20000 0 1100\n800 1 1250\n10000 3 1950\n";

static int test(void)
{
	struct parcel parcel;
	unsigned price, count = 0, right = 0;
	int bytes;
	for (const char *at = known; sscanf(at, "%u %u %u%n", &parcel.grams, &parcel.zone, &price, &bytes) == 3; at += bytes, count++)
		if (postage(&parcel) == price)
			right++;
	printf("%u of %u prices: %s\n", right, count, right == count ? "right" : "wrong");
	return right != count;
}

/* Every fifth parcel is heavy, every second one goes abroad. */
static int serve(unsigned long count)
{
	unsigned long total = 0;
	for (unsigned long i = 0; i < count; i++) {
		struct parcel parcel = {i % 5 ? 3000 : 15000, i % 2 ? (unsigned)(i / 2 % 3) + 1 : 0};
		total += postage(&parcel);
	}
	printf("%lu parcels, %lu cents\n", count, total);
	return 0;
}

int main(int argc, char **argv)
{
	return argc > 1 ? serve(strtoul(argv[1], NULL, 10)) : test();
}
