#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Checks the source files themselves.

set -eu
. "${0%/*}/lib.sh"

samples=$(sed -n 's/^obj-m [:+]*= //p' Kbuild | tr ' ' '\n' | sed 's/\.o$/.rs/')
[ -n "$samples" ]

no_unsafe() {
	fails grep -nw unsafe $samples tp_samples_trace.rs
}

# "set -e" ignores "! COMMAND" outside of conditions; use fails() there.
ignored_by_set_e() {
	grep -nE '(^|\|\| |&& )\s*! ' tests/*.sh tests/vm/*.sh tests/vm/run |
		fails grep -vE ':\s*(if|while|until) '
}

# Empty files need no licence, and files that git doesn't track are not checked.
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

# Kbuild writes rust-project.json next to the modules.
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

# Readers copy the examples, so they must compile.
examples() {
	mkdir "$tmp/readme"
	ln -s "$top/tracepoint" "$top/kit" "$tmp/readme"
	tests/readme.py README.md docs/*.md >"$tmp/readme/readme.rs"
	sed 's/good/readme/' tests/compile-fail/Kbuild >"$tmp/readme/Kbuild"
	make M="$tmp/readme" readme.o
}

silent "source: no unsafe in the samples" no_unsafe
silent "source: no \"! COMMAND\" in the test scripts" ignored_by_set_e
name="source: every file names its licence"
if git -c safe.directory="$top" rev-parse 2>/dev/null; then
	silent "$name" licences
else
	ok "$name # SKIP not a git repository"
fi
silent "source: rustfmt" make rustfmtcheck
check "source: rust-analyzer's project file contains the samples" rust_analyzer
check "source: the examples in README.md and docs compile" examples
