// SPDX-License-Identifier: GPL-2.0
/*
 * usage: stress DIRECTORY ROUNDS SEED
 *
 * Loads tracepoint_sample and its two probe modules from DIRECTORY, waits until the
 * tracepoints have been fired on two CPUs, and unloads the modules. The order is
 * random, and half of the time two threads load or unload in parallel. Two more
 * threads fire the tracepoints all the time.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MODULES 3

static const char *const names[MODULES] = {
	"tracepoint_sample", "tracepoint_probe_sample", "tracepoint_probe_sample2",
};
static int files[MODULES];

/* How often each CPU's thread has opened the file. */
static atomic_ulong fired[2];
static atomic_bool done;

static int order[MODULES];
static atomic_int next;
static bool load;

static void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf(": %s\n", strerror(errno));
	exit(1);
}

static void *fire(void *arg)
{
	long cpu = (long)arg;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("cpu %ld", cpu);
	while (!done) {
		if (open("/proc/tracepoint-sample", O_RDONLY) >= 0)
			die("the open succeeded");
		if (errno == EPERM)
			fired[cpu]++;
		else if (errno != ENOENT)
			die("open");
		usleep(1000);
	}
	return NULL;
}

static void *work(void *arg)
{
	int i, m;

	while ((i = next++) < MODULES) {
		m = order[i];
		if (load ? syscall(SYS_finit_module, files[m], "", 0) :
			   syscall(SYS_delete_module, names[m], O_NONBLOCK))
			die("%s %s", load ? "load" : "unload", names[m]);
	}
	return NULL;
}

/* Loads or unloads all modules. */
static void all(bool is_load)
{
	pthread_t thread;
	int i, j, m;
	bool parallel;

	for (i = 0; i < MODULES; i++) {
		j = rand() % (i + 1);
		m = order[i] = i;
		order[i] = order[j];
		order[j] = m;
	}
	load = is_load;
	next = 0;
	parallel = rand() & 1;
	if (parallel)
		pthread_create(&thread, NULL, work, NULL);
	work(NULL);
	if (parallel)
		pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	unsigned long before[2];
	char path[4096];
	int rounds, i, cpu, tries;

	if (argc != 4)
		return 2;
	rounds = atoi(argv[2]);
	srand(atoi(argv[3]));
	for (i = 0; i < MODULES; i++) {
		snprintf(path, sizeof(path), "%s/%s.ko", argv[1], names[i]);
		files[i] = open(path, O_RDONLY);
		if (files[i] < 0)
			die("%s", path);
	}
	for (cpu = 0; cpu < 2; cpu++)
		pthread_create(&threads[cpu], NULL, fire, (void *)(long)cpu);
	for (i = 0; i < rounds; i++) {
		all(true);
		for (cpu = 0; cpu < 2; cpu++)
			before[cpu] = fired[cpu];
		for (cpu = 0; cpu < 2; cpu++)
			for (tries = 0; fired[cpu] == before[cpu]; tries++) {
				errno = ETIMEDOUT;
				if (tries == 1000000)
					die("cpu %d fires nothing", cpu);
				usleep(100);
			}
		all(false);
	}
	done = true;
	for (cpu = 0; cpu < 2; cpu++)
		pthread_join(threads[cpu], NULL);
	printf("%d rounds, fired %lu and %lu times\n", rounds, fired[0], fired[1]);
	return 0;
}
