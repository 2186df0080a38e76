#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What holds for the source files themselves.

set -eu
. "${0%/*}/lib.sh"

samples=$(sed -n 's/^obj-m [:+]*= //p' Kbuild | tr ' ' '\n' | sed 's/\.o$/.rs/')
[ -n "$samples" ]

no_unsafe() {
	fails grep -nw unsafe $samples tp_samples_trace.rs
}

# Only as a condition does it do what it looks like; elsewhere there is fails().
ignored_by_set_e() {
	grep -nE '(^|\|\| |&& )\s*! ' tests/*.sh tests/vm/*.sh tests/vm/run |
		fails grep -vE ':\s*(if|while|until) '
}

# An empty file needs no licence; what git does not know is no part of this.
licences() {
	git -c safe.directory="$top" ls-files -- \
		'*.rs' '*.c' '*.h' '*.sh' '*Kbuild*' '*Makefile' tools tests .ci |
		while read -r file; do
			case $file in
			*.stderr | *.md) continue ;;
			esac
			[ -L "$file" ] || [ ! -s "$file" ] || head -n 2 "$file" | grep -q SPDX-License-Identifier ||
				echo "$file has no SPDX line"
		done
}

# Kbuild writes it beside the modules.
rust_analyzer() {
	rm -f rust-project.json
	make rust-analyzer
	python3 - $samples <<-'END'
	import json, os, sys
	crates = json.load(open("rust-project.json"))["crates"]
	roots = {os.path.basename(c["root_module"]): c for c in crates}
	for sample in sys.argv[1:]:
	    names = {crates[d["crate"]]["display_name"] for d in roots[sample]["deps"]}
	    assert "kernel" in names, f"{sample} does not depend on the kernel crate: {names}"
	END
}

# As a reader copies them from there.
examples() {
	mkdir "$tmp/readme"
	ln -s "$top/tracepoint" "$top/kit" "$tmp/readme"
	tests/readme.py README.md docs/*.md >"$tmp/readme/readme.rs"
	sed 's/good/readme/' tests/compile-fail/Kbuild >"$tmp/readme/Kbuild"
	make M="$tmp/readme" readme.o
}

silent "source: no unsafe in the samples" no_unsafe
silent "source: no \"! COMMAND\" in the tests' scripts" ignored_by_set_e
name="source: every file names its licence"
if git -c safe.directory="$top" rev-parse 2>/dev/null; then
	silent "$name" licences
else
	ok "$name # SKIP this is no git repository of its own"
fi
silent "source: rustfmt" make rustfmtcheck
check "source: rust-analyzer's project file has the samples" rust_analyzer
check "source: the examples of README.md and docs compile" examples
