// SPDX-License-Identifier: GPL-2.0
/*
 * usage: binder DEVICE [CALLS]
 *
 * Fires all events of the binder driver, and checks what the driver does. A server answers a client
 * that sends it a file descriptor, takes a one-way transaction of another, and a third client makes
 * mistakes. Prints the process ID of each of them.
 *
 * The processes take turns, so that on each run each process fires the same events. The driver's
 * arguments are static variables: without PIE, their addresses are the same, too.
 *
 * With CALLS, it only asks for the driver's version that many times, each of which fires two events, and
 * prints how many nanoseconds one of them has taken.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/android/binder.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAPPING (1 << 20)
#define CALL 0x1234
#define ONE_WAY 0x5678
#define ANSWER 42
#define NO_HANDLE 99
#define NO_COMMAND 0x12345678

static const char *device;
static const char *role = "server";

/* What the processes wait for. */
static int replied[2];
static int data[2];

static void die(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "binder: %s: ", role);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

static void die_errno(const char *what)
{
	die("%s: %s", what, strerror(errno));
}

static int binder_open(void)
{
	static struct binder_version version;
	int fd = open(device, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die_errno(device);
	if (ioctl(fd, BINDER_VERSION, &version))
		die_errno("BINDER_VERSION");
	if (version.protocol_version != BINDER_CURRENT_PROTOCOL_VERSION)
		die("the driver has version %d", version.protocol_version);
	if (mmap(NULL, MAPPING, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		die_errno("mmap");
	return fd;
}

static struct binder_write_read transfer;

/* Only one of these per system call: a client would otherwise get a reply now or later. */
static void binder_write(int fd, void *commands, size_t size)
{
	transfer = (struct binder_write_read){
		.write_buffer = (uintptr_t)commands,
		.write_size = size,
	};
	if (ioctl(fd, BINDER_WRITE_READ, &transfer))
		die_errno("writing");
	if (transfer.write_consumed != size)
		die("the driver took only %llu of %zu bytes", transfer.write_consumed, size);
}

/* Reads until the driver returns @wanted, and returns the transaction that follows it, if any. */
static struct binder_transaction_data binder_read(int fd, uint32_t wanted)
{
	static char buffer[4096];
	struct binder_transaction_data result = {};
	uint32_t code;
	char *p, *end;

	for (;;) {
		transfer = (struct binder_write_read){
			.read_buffer = (uintptr_t)buffer,
			.read_size = sizeof(buffer),
		};
		if (ioctl(fd, BINDER_WRITE_READ, &transfer))
			die_errno("reading");
		end = buffer + transfer.read_consumed;
		for (p = buffer; p < end; p += _IOC_SIZE(code)) {
			memcpy(&code, p, sizeof(code));
			p += sizeof(code);
			if (code == wanted) {
				memcpy(&result, p, _IOC_SIZE(code));
				return result;
			}
			if (code == BR_FAILED_REPLY || code == BR_DEAD_REPLY || code == BR_ERROR)
				die("the driver returned 0x%x instead of 0x%x", code, wanted);
		}
	}
}

static struct {
	uint32_t command;
	struct binder_transaction_data data;
} __attribute__((packed)) transaction;

static void send(int fd, uint32_t command, struct binder_transaction_data what)
{
	transaction.command = command;
	transaction.data = what;
	binder_write(fd, &transaction, sizeof(transaction));
}

static void free_buffer(int fd, struct binder_transaction_data what)
{
	static struct {
		uint32_t command;
		binder_uintptr_t buffer;
	} __attribute__((packed)) free_buffer;

	free_buffer.command = BC_FREE_BUFFER;
	free_buffer.buffer = what.data.ptr.buffer;
	binder_write(fd, &free_buffer, sizeof(free_buffer));
}

static void become_server(int fd)
{
	static struct flat_binder_object object = { .flags = FLAT_BINDER_FLAG_ACCEPTS_FDS };
	static uint32_t command = BC_ENTER_LOOPER;

	if (ioctl(fd, BINDER_SET_CONTEXT_MGR_EXT, &object))
		die_errno("BINDER_SET_CONTEXT_MGR_EXT");
	binder_write(fd, &command, sizeof(command));
}

/* Waits until the server sleeps, in a system call that reads. */
static void wait_for_server(void)
{
	char path[64], state;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", getppid());
	do {
		usleep(10000);
		file = fopen(path, "r");
		if (!file)
			die_errno(path);
		if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
			die("%s has an unexpected form", path);
		fclose(file);
	} while (state != 'S');
}

static void send_descriptor(void)
{
	static struct binder_fd_object object = { .hdr.type = BINDER_TYPE_FD };
	static binder_size_t offset;
	struct binder_transaction_data reply;
	int fd = binder_open(), status = 0;
	char c;

	object.fd = data[1];
	wait_for_server();
	send(fd, BC_TRANSACTION, (struct binder_transaction_data){
		.code = CALL,
		.flags = TF_ACCEPT_FDS,
		.data_size = sizeof(object),
		.offsets_size = sizeof(offset),
		.data.ptr.buffer = (uintptr_t)&object,
		.data.ptr.offsets = (uintptr_t)&offset,
	});
	if (read(replied[0], &c, 1) != 1)
		die("the server hasn't replied");
	reply = binder_read(fd, BR_REPLY);
	if (reply.data_size == sizeof(status))
		memcpy(&status, (void *)(uintptr_t)reply.data.ptr.buffer, sizeof(status));
	if (status != ANSWER)
		die("wrong reply: %d", status);
	free_buffer(fd, reply);
	if (read(data[0], &c, 1) != 1 || c != ANSWER)
		die("nothing came through the file descriptor");
}

static void take_descriptor(int fd)
{
	static int status = ANSWER;
	struct binder_transaction_data call = binder_read(fd, BR_TRANSACTION);
	const struct binder_fd_object *object = (void *)(uintptr_t)call.data.ptr.buffer;
	char c = ANSWER;

	if (call.code != CALL)
		die("wrong code: 0x%x", call.code);
	if (write(object->fd, &c, 1) != 1)
		die_errno("the received file descriptor");
	/* This also closes it. */
	free_buffer(fd, call);
	send(fd, BC_REPLY, (struct binder_transaction_data){
		.flags = TF_STATUS_CODE,
		.data_size = sizeof(status),
		.data.ptr.buffer = (uintptr_t)&status,
	});
	binder_read(fd, BR_TRANSACTION_COMPLETE);
	if (write(replied[1], &c, 1) != 1)
		die_errno("write");
}

static void send_one_way(void)
{
	int fd = binder_open();

	send(fd, BC_TRANSACTION, (struct binder_transaction_data){
		.code = ONE_WAY,
		.flags = TF_ONE_WAY,
	});
	binder_read(fd, BR_TRANSACTION_COMPLETE);
}

static void take_one_way(int fd)
{
	struct binder_transaction_data call = binder_read(fd, BR_TRANSACTION);

	if (call.code != ONE_WAY || !(call.flags & TF_ONE_WAY))
		die("wrong code: 0x%x, flags: 0x%x", call.code, call.flags);
	free_buffer(fd, call);
}

static void make_mistakes(void)
{
	static uint32_t command = NO_COMMAND;
	int fd = binder_open();

	send(fd, BC_TRANSACTION, (struct binder_transaction_data){ .target.handle = NO_HANDLE });
	binder_read(fd, BR_FAILED_REPLY);

	transfer = (struct binder_write_read){
		.write_buffer = (uintptr_t)&command,
		.write_size = sizeof(command),
	};
	if (!ioctl(fd, BINDER_WRITE_READ, &transfer) || errno != EINVAL)
		die("the driver took a command that doesn't exist");
	if (!ioctl(fd, NO_COMMAND, NULL) || errno != EINVAL)
		die("the driver took an ioctl that doesn't exist");
}

static pid_t start(const char *name, void (*client)(void))
{
	pid_t pid = fork();

	if (pid < 0)
		die_errno("fork");
	if (!pid) {
		role = name;
		client();
		exit(0);
	}
	dprintf(STDOUT_FILENO, "%s %d\n", name, pid);
	return pid;
}

static void wait_for(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		die_errno("waitpid");
	if (status)
		die("a client failed");
}

static int64_t nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void measure(long calls)
{
	struct binder_version version;
	int fd = binder_open();
	int64_t start = nanoseconds();

	for (long n = 0; n < calls; n++) {
		if (ioctl(fd, BINDER_VERSION, &version))
			die_errno("BINDER_VERSION");
	}
	printf("%lld\n", (long long)(nanoseconds() - start) / calls);
}

int main(int argc, char **argv)
{
	pid_t client;
	int fd;

	if (argc < 2 || argc > 3 || (argc == 3 && atol(argv[2]) <= 0)) {
		fprintf(stderr, "usage: binder DEVICE [CALLS]\n");
		return 2;
	}
	device = argv[1];
	if (argc == 3) {
		measure(atol(argv[2]));
		return 0;
	}
	dprintf(STDOUT_FILENO, "%s %d\n", role, getpid());
	if (pipe(replied) || pipe(data))
		die_errno("pipe");
	fd = binder_open();
	become_server(fd);

	client = start("caller", send_descriptor);
	take_descriptor(fd);
	wait_for(client);

	/* This transaction waits for the server, the first one was the other way round. */
	client = start("sender", send_one_way);
	wait_for(client);
	take_one_way(fd);

	wait_for(start("blunderer", make_mistakes));
	return 0;
}
