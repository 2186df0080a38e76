// SPDX-License-Identifier: GPL-2.0
/*
 * usage: arithmetic A B X Y N
 *
 * Prints what the events of tests/modules/arithmetic.rs have to record for these
 * hexadecimal numbers, computed with C's operators. Built with -fwrapv, as the kernel.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t min(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t max(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static void operators(uint32_t a, uint32_t b, int32_t x, int32_t y, uint32_t n)
{
	/* C leaves too large a shift undefined. */
	uint32_t s = n & 31, s64 = n & 63;

	printf("%u %u %u %" PRIu64 " %u %u %d %" PRIu64 " ", a + b, a - b, a * b,
	       (uint64_t)a - b, (uint8_t)((uint8_t)a + (uint8_t)b), 1U << s, x >> s,
	       (uint64_t)1 << s64);
	printf("%d %d %d %d %d %d %d %d %u %zu\n", x + y, x - y, x * y, -x, x < 0 ? -x : x,
	       x * x * x, -x, 0, a / 8 + a % 16, (size_t)a - b);
}

static void places(uint32_t a, uint32_t b, int32_t x, uint32_t n)
{
	uint32_t list[] = { a, b, n }, array[] = { a, b, n, 7 };
	uint32_t fold = 0, block, sum = a + b, local = a - b - 1;
	const char *comma = "";
	int i, elements = 0, left = 1024;

	if (!(a - b > 5))
		return;
	for (i = 0; i < 3; i++)
		fold += list[i] * 2;
	block = (((a * b) - 1) << (n & 31)) / 8;
	for (i = 0; i < 3; i++)
		block += list[i];
	printf("%u %u %u %u %u %d %d %u %u %u %u %u %u %u {0x%x,0x%x} {0x%x,0x%x} %u %u A|B {0x1,0x2} {0x1,0x0} {",
	       (a - b) * 2, min(max(a, b - a), b * a), fold, block,
	       a - b > b ? a * b : b - a, x - 1 + 1 < 0 ? -(x - 1) : (x - 1) * x,
	       a - b <= 9 && b - a > 3, a - a, array[n & 3] + array[1], array[n % 3], local, a,
	       sum, sum + sum * 3, a - b, b - a, a - b, sum * sum, a - b, b - a);
	for (i = 0; i < 3; i++) {
		if ((list[i] + 1) % 2 == 0)
			continue;
		printf("%s0x%x", comma, list[i] + 1);
		comma = ",";
		elements++;
	}
	// Four fields share 1024 bytes, in units of 8. The last two have what these elements and a text leave.
	left -= (4 * elements + 7) & ~7;
	left -= (snprintf(NULL, 0, "%u %u", a - b, b - a) + 1 + 7) & ~7;
	printf("} %d 0\n", left / 2 & ~7);
}

static void time(int64_t nanos)
{
	printf("%" PRId64 " %" PRId64 " %" PRId64 " 1\n", nanos + nanos, -nanos, nanos * 3);
}

int main(int argc, char **argv)
{
	uint32_t numbers[5];
	int i;

	if (argc != 6)
		return 1;
	for (i = 0; i < 5; i++)
		numbers[i] = strtoul(argv[1 + i], NULL, 16);
	operators(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
	places(numbers[0], numbers[1], numbers[2], numbers[4]);
	time((uint64_t)numbers[0] << 32 | numbers[1]);
	return 0;
}
