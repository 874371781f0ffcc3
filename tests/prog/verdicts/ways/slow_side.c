/* flags: -O1 -g */
/* True cause: escape, which was written for a rare case, is where most of the instructions are: the branch in encode takes that side for
 * nine of ten letters. */
#include <string.h>

static char out[16];

__attribute__((noinline)) static unsigned escape(unsigned letter)
{
	unsigned sum = 0;
	for (int i = 0; i < 16; i++)
		sum += (unsigned)(out[i] = (char)(letter >> (i & 7)));
	return sum;
}

__attribute__((noinline)) static unsigned encode(const unsigned char *text, int count)
{
	unsigned sum = 0;
	for (int i = 0; i < count; i++)
		if (text[i] < 26)
			sum += text[i];
		else
			sum += escape(text[i]);
	return sum;
}

int main(void)
{
	static unsigned char text[2560];
	unsigned sum = 0;
	for (int i = 0; i < 2560; i++)
		text[i] = (unsigned char)i;
	for (int i = 0; i < 20; i++)
		sum += encode(text, 2560);
	return sum == 0;
}
