#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# usage: rust-btf.sh OBJECT COMPILER [FLAG]...
#
# Adds the types of the probes of the tracepoints in a Rust object, as C has them, since pahole ignores what
# rustc says about types. BPF programs of the kind tp_btf need them.

set -e
object=$1
shift
text=$(dirname "$object")/.tmp_${object##*/}.btf
trap 'rm -f "$text" "$text.o" "$text.c"' EXIT
trap 'exit 1' HUP INT TERM
$OBJCOPY -O binary --only-section=.discard.btf_trace "$object" "$text"
[ -s "$text" ] || exit 0
cat - "$text" >"$text.c" <<'EOF'
#include <linux/types.h>
struct cpumask;
struct cred;
struct device;
struct file;
struct task_struct;
#define BTF_TRACE(name, ...)							\
	typedef void (*btf_trace_##name)(void *, ##__VA_ARGS__);		\
	static btf_trace_##name handle_##name __used __section(".discard.btf_trace");
EOF
"$@" -c -o "$text.o" "$text.c"
$LD $KBUILD_LDFLAGS -r -o "$text" "$object" "$text.o"
mv "$text" "$object"
