// SPDX-License-Identifier: GPL-2.0
/*
 * usage: stress DIRECTORY ROUNDS SEED
 *
 * Loads the samples from DIRECTORY, checks that no call of a probe is lost while the
 * tracepoints are fired on two CPUs, and unloads the modules. The order is random, and
 * half of the time two threads load or unload in parallel. Meanwhile, two threads fire the
 * tracepoints, and others switch the events on and off, read traces, make and remove an
 * instance, record with perf, and attach BPF programs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MODULES 5
#define TRACING "/sys/kernel/tracing"
#define INSTANCE TRACING "/instances/stress"
#define COUNT(array) ((long)(sizeof(array) / sizeof((array)[0])))

static const char *const names[MODULES] = {
	"tracepoint_sample", "tracepoint_probe_sample", "tracepoint_probe_sample2",
	"trace_events_sample", "trace_spans_sample",
};
static int files[MODULES];

/* How often each CPU's thread has opened the file. */
static atomic_ulong fired[2];
static atomic_bool done;

/* Odd while no thread may fire, and its value when each thread last looked. */
static atomic_uint pauses, noticed[2];

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
		noticed[cpu] = pauses;
		if (noticed[cpu] & 1) {
			usleep(1000);
			continue;
		}
		if (open("/proc/tracepoint-sample", O_RDONLY) >= 0)
			die("the open succeeded");
		if (errno == EPERM)
			fired[cpu]++;
		else if (errno != ENOENT)
			die("open");
		usleep(10000);
	}
	return NULL;
}

/*
 * What follows happens whether or not the modules are there, so that a call fails if they
 * aren't. Each thread counts the calls that succeed.
 */

static int random_of(unsigned int *seed, int n)
{
	return rand_r(seed) % n;
}

/* Writes to one of the tracing files. */
static bool put(const char *path, const char *text)
{
	int file = open(path, O_WRONLY | O_TRUNC);
	bool written = file >= 0 && write(file, text, strlen(text)) > 0;

	if (file >= 0)
		close(file);
	return written;
}

/* Reads a part of a file, without waiting for more. Returns what was read first. */
static long get(const char *path, char *buffer, size_t size, int times)
{
	int file = open(path, O_RDONLY | O_NONBLOCK);
	long n, first = -1;

	if (file < 0)
		return -1;
	while (times-- && (n = read(file, buffer, size)) > 0)
		if (first < 0)
			first = n;
	close(file);
	return first;
}

static bool enable(unsigned int *seed)
{
	static const char *const paths[] = {
		TRACING "/events/sample-trace/enable", TRACING "/events/sample_spans/enable",
		INSTANCE "/events/sample-trace/enable", INSTANCE "/events/sample_spans/enable",
	};

	return put(paths[random_of(seed, COUNT(paths))], random_of(seed, 3) ? "1" : "0");
}

static bool look(unsigned int *seed)
{
	static const char *const files[] = { "trace", "trace_pipe", "snapshot" };
	const char *of = random_of(seed, 2) ? TRACING : INSTANCE;
	char path[128], buffer[16384];

	snprintf(path, sizeof(path), "%s/%s", of, files[random_of(seed, COUNT(files))]);
	if (strstr(path, "snapshot") && !put(path, random_of(seed, 4) ? "1" : "0"))
		return false;
	return get(path, buffer, sizeof(buffer), 20) > 0;
}

static bool instance(unsigned int *seed)
{
	bool made = !mkdir(INSTANCE, 0700);

	usleep(random_of(seed, 20000));
	rmdir(INSTANCE);
	return made;
}

/* Loads a program of the type that returns 0. */
static int program(enum bpf_prog_type type)
{
	static const struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = type, .insns = (unsigned long)code, .insn_cnt = COUNT(code),
		.license = (unsigned long)"GPL",
	};

	return syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
}

/*
 * A busy machine can make an init function give up. The kernel then frees the module even
 * if perf or a program uses it, so they only take one that has been loaded.
 */
static bool is_live(const char *module)
{
	char path[64], state[8];

	snprintf(path, sizeof(path), "/sys/module/%s/initstate", module);
	return get(path, state, sizeof(state), 1) > 0 && !strncmp(state, "live", 4);
}

static bool perf(unsigned int *seed)
{
	static const char *const paths[][2] = {
		{ "trace_events_sample", TRACING "/events/sample-trace/foo_bar/id" },
		{ "trace_spans_sample", TRACING "/events/sample_spans/sample_serve/id" },
		{ "trace_events_sample", TRACING "/events/sample-trace/foo_with_template_simple/id" },
	};
	const char *const *path = paths[random_of(seed, COUNT(paths))];
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .sample_period = 1,
		.sample_type = PERF_SAMPLE_RAW,
	};
	char id[16] = "";
	int event, filter;
	bool attached;

	if (!is_live(path[0]) || get(path[1], id, sizeof(id) - 1, 1) < 0)
		return false;
	attr.config = atoi(id);
	event = syscall(SYS_perf_event_open, &attr, -1, random_of(seed, 2), -1, 0);
	if (event < 0)
		return false;
	filter = program(BPF_PROG_TYPE_TRACEPOINT);
	attached = filter >= 0 && !ioctl(event, PERF_EVENT_IOC_SET_BPF, filter);
	usleep(random_of(seed, 5000));
	close(event);
	if (filter >= 0)
		close(filter);
	return attached;
}

static bool raw_tracepoint(unsigned int *seed)
{
	static const char *const points[][2] = {
		{ "tracepoint_sample", "subsys_event" }, { "tracepoint_sample", "subsys_eventb" },
		{ "trace_events_sample", "foo_bar" }, { "trace_spans_sample", "sample_serve" },
	};
	const char *const *point = points[random_of(seed, COUNT(points))];
	union bpf_attr attr = { .raw_tracepoint.name = (unsigned long)point[1] };
	int of = is_live(point[0]) ? program(BPF_PROG_TYPE_RAW_TRACEPOINT) : -1, link = -1;

	if (of >= 0) {
		attr.raw_tracepoint.prog_fd = of;
		link = syscall(SYS_bpf, BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr));
		usleep(random_of(seed, 5000));
		close(of);
	}
	if (link >= 0)
		close(link);
	return link >= 0;
}

static struct {
	const char *what;
	bool (*act)(unsigned int *seed);
	atomic_ulong times;
} users[] = {
	{ "events switched", enable }, { "traces read", look }, { "instances", instance },
	{ "recordings of perf with a program", perf }, { "raw tracepoints", raw_tracepoint },
};

/* Does something, then leaves the CPU and the kernel's locks to others for as long as that took. */
static void *use(void *arg)
{
	long i = (long)arg;
	unsigned int seed = i;
	struct timespec from, to;

	while (!done) {
		clock_gettime(CLOCK_MONOTONIC, &from);
		if (users[i].act(&seed))
			users[i].times++;
		clock_gettime(CLOCK_MONOTONIC, &to);
		usleep(10000 + random_of(&seed, 40000) +
		       (to.tv_sec - from.tv_sec) * 1000000 + (to.tv_nsec - from.tv_nsec) / 1000);
	}
	return NULL;
}

/* perf and BPF keep a module while they use it. */
static int unload(const char *name)
{
	int tries = 0;

	while (syscall(SYS_delete_module, name, O_NONBLOCK)) {
		if (errno != EWOULDBLOCK || tries++ == 20000)
			return -1;
		usleep(500);
	}
	return 0;
}

/* Loads a module. On a busy machine, the library can wait too long for others, and gives up. */
static int insert(int file)
{
	int error, tries = 0;

	do
		error = syscall(SYS_finit_module, file, "", 0);
	while (error && errno == EDEADLK && ++tries < 5);
	return error;
}

static void *work(void *arg)
{
	int i, m;

	while ((i = next++) < MODULES) {
		m = order[i];
		if (load ? insert(files[m]) : unload(names[m]))
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

/* Has the threads pause, and returns how often they have fired. */
static unsigned long pause_firing(void)
{
	int cpu;

	pauses++;
	for (cpu = 0; cpu < 2; cpu++)
		while (noticed[cpu] != pauses)
			usleep(100);
	return fired[0] + fired[1];
}

static void go_on_firing(void)
{
	pauses++;
}

/* Checks that the probes write to the log as often as they're called. */
static void check_probes(void)
{
	static const struct {
		const char *text;
		unsigned long times;
	} probes[] = {
		{ "tracepoint_probe_sample: Event is encountered", 1 },
		{ "tracepoint_probe_sample: Event B is encountered", 10 },
		{ "tracepoint_probe_sample2: Event is encountered", 1 },
	};
	unsigned long opened, before[2], seen[COUNT(probes)] = {};
	int i, cpu, tries, log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	char line[8192];
	ssize_t n;

	opened = pause_firing();
	if (log < 0 || lseek(log, 0, SEEK_END) < 0)
		die("/dev/kmsg");
	for (cpu = 0; cpu < 2; cpu++)
		before[cpu] = fired[cpu];
	go_on_firing();
	for (cpu = 0; cpu < 2; cpu++)
		for (tries = 0; fired[cpu] == before[cpu]; tries++) {
			errno = ETIMEDOUT;
			if (tries == 1000000)
				die("cpu %d fires nothing", cpu);
			usleep(100);
		}
	opened = pause_firing() - opened;
	while ((n = read(log, line, sizeof(line) - 1)) > 0) {
		line[n] = 0;
		for (i = 0; i < COUNT(probes); i++)
			seen[i] += strstr(line, probes[i].text) != NULL;
	}
	if (errno != EAGAIN)
		die("/dev/kmsg");
	close(log);
	go_on_firing();
	errno = 0;
	for (i = 0; i < COUNT(probes); i++)
		if (seen[i] != opened * probes[i].times)
			die("%s: %lu times after %lu opens", probes[i].text, seen[i], opened);
}

int main(int argc, char **argv)
{
	pthread_t threads[2], using[COUNT(users)];
	char path[4096];
	int rounds, i, cpu;
	long user;

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
	for (user = 0; user < COUNT(users); user++)
		pthread_create(&using[user], NULL, use, (void *)user);
	for (i = 0; i < rounds; i++) {
		all(true);
		check_probes();
		all(false);
	}
	done = true;
	for (cpu = 0; cpu < 2; cpu++)
		pthread_join(threads[cpu], NULL);
	printf("# %d rounds, fired %lu and %lu times", rounds, fired[0], fired[1]);
	for (user = 0; user < COUNT(users); user++) {
		pthread_join(using[user], NULL);
		printf(", %lu %s", users[user].times, users[user].what);
		errno = 0;
		if (!users[user].times)
			die("none");
	}
	printf("\n");
	/* It's busy while another thread has one of its files open. */
	rmdir(INSTANCE);
	put(TRACING "/snapshot", "0");
	put(TRACING "/trace", "\n");
	return 0;
}
