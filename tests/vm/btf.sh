#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# BTF: what it says about modules, and what uses it.

set -eu
. "${0%/*}/lib.sh"

t=/sys/kernel/tracing

if [ ! -e /sys/kernel/btf/vmlinux ] || ! readelf -SW "$modules/btf_parts.ko" | grep -q ' \.BTF '; then
	ok "btf # SKIP the modules have no BTF"
	exit
fi

load btf_twin btf_parts trace_events_sample tracepoint_sample
tests/vm/btf.py btf_parts btf_twin trace_events_sample tracepoint_sample vmlinux:timer_list >"$tmp/all" ||
	not_ok "btf: tests/vm/btf.py failed" "$tmp/all"

# says MODULE: checks that the module's BTF has each line of the standard input.
says() {
	sed -n "s/^$1 //p" "$tmp/all" >"$tmp/said"
	missing=$(grep -vxFf "$tmp/said") || return 0
	echo "missing:"
	echo "$missing"
	cat "$tmp/said"
	return 1
}

shapes() {
	says btf_parts <<'EOF'
enum BtfDerived { First = 7, Second = 8 } 2
enum BtfFlags { Low = 1, High = 1099511627776 } 8
enum BtfOp { Back = -1, Stay = 0 } 1
struct BtfInner { u8 small@0; u64 large@8; } 16
struct BtfInner { u32 other@0; } 4
struct btf_outer { struct BtfInner *inner@0; struct BtfInner *none@8; const char *name@16; u16 table[6]@32; enum BtfOp op@44; enum BtfFlags flags@48; struct task_struct *task@56; int type@64; } 72
struct btf_in_c { u16 member@0; } 2
EOF
}
check "btf: structs and enums" shapes

functions() {
	says btf_parts <<'EOF'
void __bpf_trace_btf_names(void *__data, u32 type, u64 len, const u8 *data__nullable, size_t data_len_, u8 data_len, bool __data_)
void __probestub_btf_no_event(void *__data, struct btf_outer *outer, u32 *array)
int __traceiter_btf_no_event(void *__data, struct btf_outer *outer, u32 *array)
void __probestub_btf_nothing(void *__data)
void __probestub_btf_other(void *__data, struct BtfInner *inner)
int __traceiter_btf_slices(void *__data, struct btf_outer *outer, struct BtfInner *const *inners, size_t inners_len, const enum BtfOp *ops, size_t ops_len, const u8 *text, size_t text_len)
void __probestub_btf_twelve(void *__data, u8 a, s8 b, u16 c, s16 d, u32 e, int f, u64 g, s64 h, size_t i, ssize_t j, bool k, const char *l)
void __bpf_trace_btf_types(void *__data, struct BtfInner *alias__nullable, u32 number, enum BtfOp op, enum BtfFlags flags, enum BtfDerived derived, const u32 *raw__nullable, void *any__nullable, struct task_struct *task__nullable)
s64 btf_add(int a, u8 b, struct btf_outer *type)
int btf_c_function(struct btf_in_c *arg)
int btf_check(struct task_struct *task)
u32 btf_number(void)
typedef void (*btf_trace_btf_names)(void *, u32, u64, const u8 *, size_t, u8, bool)
typedef void (*btf_trace_btf_nothing)(void *)
EOF
	fails grep btf_trace_btf_no_event "$tmp/said"
}
check "btf: functions and tracepoints" functions

records() {
	says btf_parts <<'EOF'
struct trace_event_raw_btf_nothing { struct trace_entry ent@0; char __data[0]@8; } 8
struct trace_event_raw_btf_twelve { struct trace_entry ent@0; u8 a@8; char __data[0]@9; } 12
struct trace_event_raw_btf_types { struct trace_entry ent@0; s8 op@8; u64 flags@16; u8 chars[5]@24; char comm[16]@29; s64 words[2]@48; void *raw@64; char __data[0]@72; } 72
EOF
}
check "btf: records" records

twin() {
	says btf_twin <<'EOF'
struct btf_outer { u64 twin@0; } 8
void __bpf_trace_btf_twin(void *__data, struct btf_outer *outer__nullable)
EOF
}
check "btf: another module with the same names" twin

sample() {
	# lockdep enlarges the timer. A Timer has a word of its own.
	counter=$(($(sed -n 's/^vmlinux struct timer_list .* //p' "$tmp/all") + 24))
	# clang emits no struct that's empty in a struct that has a size.
	timer='struct timer_list timer'
	if grep -q 'clang version' /proc/version; then
		timer='char timer[0]'
	fi
	says trace_events_sample <<EOF
struct foo_timer_data { const char *name@0; $timer@16; int *counter@$counter; } $((counter + 8))
void sample_timer_cb(struct timer_list *t, struct foo_timer_data *data)
int foo_bar_reg(void)
void __bpf_trace_foo_bar(void *__data, const char *foo__nullable, int bar, const int *lst__nullable, size_t lst_len, const char *string__nullable, struct cpumask *mask__nullable, const void *text__nullable)
struct trace_event_raw_foo_rel_loc { struct trace_entry ent@0; u32 __rel_loc_foo@8; int bar@12; u32 __rel_loc_bitmask@16; u32 __rel_loc_cpumask@20; char __data[0]@24; } 24
EOF
	says tracepoint_sample <<'EOF'
void __probestub_subsys_event(void *__data, struct inode *inode, struct file *file)
EOF
}
check "btf: the samples" sample

# libbpf. The programs see an event every ten seconds at least.
printed() {
	for text; do
		await grep -q "bpf_trace_printk: $text" $t/trace
	done
}
attach() {
	bpftool prog loadall "$modules/btf.bpf.o" /sys/fs/bpf/btf autoattach
}
programs() {
	attach
	printed "foo_bar [0-9]* [0-4] [0-9a-f]*$" "foo_bar_with_cond Some times print [0-9]*0$" \
		"foo_bar_with_fn Look at me [0-9]*$" "foo_with_template_simple HELLO [0-9]*$" \
		"foo_with_template_cond prints other times [0-9]*$" \
		"foo_with_template_fn Look at me too [0-9]*$" \
		"foo_with_template_print I have to be different [0-9]*$" \
		"foo_rel_loc [0-9]* deadbeef [0-9a-f]*$" "foo_timer_fn sample_timer_counter$"
}
check "btf: tp_btf on each event of the sample" programs
check "btf: fentry" printed "enter_add -5 200 outer$" "enter_add 3 -1$"
check "btf: fexit" printed "exit_add -5 200: 198$"
check "btf: CO-RE on a record" printed "record [0-9]*0$"
rm -r /sys/fs/bpf/btf
echo >$t/trace

example() {
	timeout 60 "$modules/foo_bar" "$modules/foo_bar.bpf.o" 2 >"$tmp/said"
	cat "$tmp/said"
	[ "$(grep -c '^foo=hello bar=[0-9]* lst=\[[0-9, ]*\] cpus=\[[0-9a-f, ]*\]$' "$tmp/said")" = 2 ]
}
if [ -e "$modules/foo_bar" ]; then
	check "btf: the example in Rust" example
else
	ok "btf: the example in Rust # SKIP it was not built: cargo builds it only on $(uname -m)"
fi

# bpf PROGRAM TEXT: checks what the program prints.
bpf() {
	timeout 60 bpftrace -e "$1" >"$tmp/said" 2>&1 || :
	cat "$tmp/said"
	grep -qx -- "$2" "$tmp/said"
}
check "btf: bpftrace fentry:" bpf \
	'fentry:btf_parts:btf_add { printf("%d %s %d\n", args.b, str(args.type->name), args.type->type); exit(); }' \
	'200 outer 3'
check "btf: bpftrace fexit:" bpf 'fexit:btf_parts:btf_add { printf("%d %d\n", args.a, retval); exit(); }' '-5 198'
old_bpftrace || check "btf: bpftrace rawtracepoint:" bpf \
	'rawtracepoint:foo_timer_fn { printf("%s\n", str(args.data->name)); exit(); }' 'sample_timer_counter'

tprobes() {
	echo 't:tprobes/all foo_bar $arg*' >>$t/dynamic_events
	echo 't:tprobes/timer foo_timer_fn name=data->name:string' >>$t/dynamic_events
	echo 't:tprobes/outer btf_no_event name=outer->name:string small=outer->inner->small' >>$t/dynamic_events
	grep -q ' foo=foo bar=bar lst=lst lst_len=lst_len string=string mask=mask text=text$' $t/dynamic_events
	echo 1 >$t/events/tprobes/enable
	await grep -q 'all: .* bar=[0-9]* lst=0x[0-9a-f]* lst_len=[0-4] ' $t/trace
	await grep -q 'timer: .* name="sample_timer_counter"' $t/trace
	await grep -q 'outer: .* name="outer" small=1' $t/trace
}
check "btf: tprobes" tprobes
echo 0 >$t/events/tprobes/enable || :
echo >$t/dynamic_events
clean_up
