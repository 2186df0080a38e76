// SPDX-License-Identifier: GPL-2.0
/*
 * usage: fail_nth FILE.ko [BESIDE.ko]...
 *
 * Loads the module with its first allocation failing, and unloads it if loading
 * succeeded. Then repeats this with the second allocation, and so on, until none
 * is left to fail. Then does the same for each allocation during unloading, which
 * must succeed regardless. BESIDE stays loaded all the time.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int fail_nth;

static void die(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	exit(1);
}

/* Makes the nth allocation from here on fail; 0 for none. */
static void fail(int n)
{
	char text[16];

	if (pwrite(fail_nth, text, sprintf(text, "%d", n), 0) < 0)
		die("fail-nth");
}

/* Stops failing allocations. Returns true if one has failed. */
static int has_failed(void)
{
	char text[16] = "";

	if (pread(fail_nth, text, sizeof(text) - 1, 0) < 0)
		die("fail-nth");
	fail(0);
	return atoi(text) == 0;
}

/* A module in memory: with finit_module(), the kernel complains if reading fails. */
struct image {
	void *data;
	off_t size;
};

static struct image read_file(const char *path)
{
	struct image image;
	int file = open(path, O_RDONLY);

	if (file < 0)
		die(path);
	image.size = lseek(file, 0, SEEK_END);
	image.data = malloc(image.size);
	if (!image.data || pread(file, image.data, image.size, 0) != image.size)
		die(path);
	close(file);
	return image;
}

static int load(struct image image)
{
	return syscall(SYS_init_module, image.data, image.size, "");
}

static int unload(const char *path)
{
	char name[4096];

	snprintf(name, sizeof(name), "%s", basename((char *)path));
	*strrchr(name, '.') = 0;
	return syscall(SYS_delete_module, name, O_NONBLOCK);
}

int main(int argc, char **argv)
{
	int n, i, loaded = 0, other = 0;
	struct image image;

	fail_nth = open("/proc/thread-self/fail-nth", O_RDWR);
	if (fail_nth < 0)
		die("fail-nth");
	for (i = 2; i < argc; i++)
		if (load(read_file(argv[i])))
			die(argv[i]);
	image = read_file(argv[1]);
	for (n = 1;; n++) {
		int ret, error, failed;

		fail(n);
		ret = load(image);
		error = errno;
		failed = has_failed();
		other += ret && error != ENOMEM;
		if (ret && !failed)
			die("load, although no allocation failed");
		if (!ret && unload(argv[1]))
			die("unload");
		if (!failed)
			break;
		loaded += !ret;
	}
	printf("%d allocations to load: %d failures with ENOMEM, %d with something else, %d survived\n",
	       n - 1, n - 1 - loaded - other, other, loaded);
	for (n = 1;; n++) {
		int ret, failed;

		if (load(image))
			die("load");
		fail(n);
		ret = unload(argv[1]);
		failed = has_failed();
		if (ret)
			die("unload");
		if (!failed)
			break;
	}
	printf("%d allocations to unload\n", n - 1);
	for (i = argc - 1; i >= 2; i--)
		if (unload(argv[i]))
			die(argv[i]);
	return 0;
}
