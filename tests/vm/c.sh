#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Modules in C that use tracepoints defined in Rust, and the reverse.

set -eu
. "${0%/*}/lib.sh"

probe() {
	clear_log
	load tracepoint_sample c_probe
	logged 1 "c_probe: enabled before: 0"
	logged 1 "c_probe: enabled after: 1"
	fire
	logged 1 "c_probe: inode $(stat -c %i /proc/tracepoint-sample) file tracepoint-sample data right"
}
check "c: a probe in C gets the inode and the file" probe

# EEXIST
twice() {
	logged 1 "c_probe: again: -17"
}
check "c: registering the same probe twice returns -EEXIST" twice

in_use() {
	fails rmmod tracepoint_sample
}
check "c: the definer cannot be unloaded while a module in C refers to it" in_use

beside() {
	clear_log
	load tracepoint_probe_sample tracepoint_probe_sample2
	fire
	inode=$(stat -c %i /proc/tracepoint-sample)
	logged 1 "c_probe: inode $inode file tracepoint-sample data right"
	logged 1 "tracepoint_probe_sample: Event is encountered with filename tracepoint-sample"
	logged 1 "tracepoint_probe_sample2: Event is encountered with inode number $inode"
	rmmod tracepoint_probe_sample
	fire
	logged 2 "c_probe: inode $inode file tracepoint-sample data right"
	logged 1 "tracepoint_probe_sample: Event is encountered with filename tracepoint-sample"
	rmmod tracepoint_probe_sample2 c_probe
	logged 1 "c_probe: unregister: 0"
	logged 1 "c_probe: events without arguments: 30"
	fire
	logged 2 "c_probe: inode $inode file tracepoint-sample data right"
}
check "c: probes in C and Rust side by side" beside

fire_from_c() {
	clear_log
	load tracepoint_probe_sample tracepoint_probe_sample2
	load c_fire
	logged 1 "c_fire: enabled: 1"
	logged 1 "tracepoint_probe_sample: Event is encountered with filename hostname"
	logged 1 "tracepoint_probe_sample2: Event is encountered with inode number $(stat -c %i /etc/hostname)"
	[ "$(dmesg | grep -c 'Event is')" = 2 ]
	rmmod c_fire
}
echo machine >/etc/hostname
check "c: fired from C, a probe in Rust gets the inode and the file" fire_from_c

disabled_in_c() {
	rmmod tracepoint_probe_sample tracepoint_probe_sample2
	clear_log
	load c_fire
	logged 1 "c_fire: enabled: 0"
	fails in_log Event
	rmmod c_fire tracepoint_sample
}
check "c: fired from C without a probe, nothing happens" disabled_in_c

no_definer() {
	fails load c_probe
	fails load c_fire
}
check "c: a module in C needs the definer" no_definer

# Rust doesn't know the arguments of a tracepoint defined in C.
text=hello
refused() {
	clear_log
	load c_define c_define_probe
	logged 1 "c_define_probe: checked: EINVAL"
	logged 1 "c_define_probe: tracepoint c_event: the first of this name is defined in C and has no prototype, but the probe is fn(i32, Option<&CStr>)"
}
check "c: a probe of a tracepoint without a prototype is refused" refused

unchecked() {
	echo -n "$text" >/sys/module/c_define/parameters/fire
	logged 1 "c_define_probe: -5 $text"
	logged 1 "c_define_probe: -6 nothing"
	fails in_log 'checked probe called'
	rmmod "$@"
}
check "c: such a tracepoint can be probed unchecked" unchecked c_define c_define_probe

later() {
	clear_log
	load c_define_probe c_define
	logged 0 "c_define_probe: checked: EINVAL"
	logged 1 "c_define_probe: tracepoint c_event: the first of this name is defined in C and has no prototype, but the probe is fn(i32, Option<&CStr>)"
	unchecked c_define_probe c_define
}
check "c: the same when the definer is loaded later" later
