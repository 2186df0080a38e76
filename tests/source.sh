#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Checks the source files themselves.

set -eu
. "${0%/*}/lib.sh"
export KBUILD_EXTRA_WARN=1

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

not_run() {
	sed '1,/^# Run .* machines at a time/d' tests/vm.sh >"$tmp/lists"
	for script in $(find tests/vm -name '*.sh' -executable); do
		grep -qw "$(basename "$script" .sh)" "$tmp/lists" || echo "$script"
	done
}

# Empty files need no licence, and files that git doesn't track are not checked.
licences() {
	git -c safe.directory="$top" ls-files -- \
		'*.rs' '*.c' '*.h' '*.sh' '*Kbuild*' '*Makefile*' template tools tests .ci |
		while read -r file; do
			case $file in
			*.stderr | *.md | *.format | *.expected) continue ;;
			esac
			[ -L "$file" ] || [ ! -s "$file" ] || head -n 2 "$file" | grep -q SPDX-License-Identifier ||
				echo "$file has no SPDX line"
		done
}

# rust_analyzer DIR ROOT...: the modules in DIR with these source files must depend on
# the kernel and on both crates of the library.
rust_analyzer() {
	local dir="$1"
	shift
	rm -f "$dir/rust-project.json"
	make M="$dir" rust-analyzer
	python3 - "$dir" "$@" <<-'END'
	import json, os, sys
	crates = json.load(open(os.path.join(sys.argv[1], "rust-project.json")))["crates"]
	roots = {os.path.basename(c["root_module"]): c for c in crates}
	def deps(crate):
	    return {crates[d["crate"]]["display_name"]: crates[d["crate"]] for d in crate["deps"]}
	for name in sys.argv[2:]:
	    of = deps(roots[name])
	    assert {"kernel", "tracepoint"} <= of.keys(), f"{name} depends only on {of.keys()}"
	    library = of["tracepoint"]
	    assert open(library["root_module"]), "no such file"
	    assert library["cfg"] == roots[name]["cfg"]
	    of = deps(library)
	    assert {"core", "kernel", "tracepoint_macros"} <= of.keys()
	    macros = of["tracepoint_macros"]
	    assert open(macros["root_module"]) and macros["is_proc_macro"]
	    assert os.path.dirname(macros["proc_macro_dylib_path"]) == library["env"]["TRACEPOINT_OUT"]
	    assert {"syn", "quote", "proc_macro2"} <= deps(macros).keys()
	    # What a build has generated.
	    if os.path.isdir(library["env"]["TRACEPOINT_OUT"]):
	        assert open(macros["proc_macro_dylib_path"])
	        assert open(os.path.join(library["env"]["TRACEPOINT_OUT"], "bindings.rs"))
	END
}

# Readers copy the examples, so they must compile.
examples() {
	write_examples "$tmp/readme"
	seed "$tmp/readme" tests/.new-driver
	echo "include $top/docs/rustdoc/Kbuild.rustdoc" >>"$tmp/readme/Kbuild"
	# No file has the formats of their stable events.
	make M="$tmp/readme" TRACEPOINT_FORMATS=update readme.o
}

# The drivers in README.md and in the tutorial, with the library that the examples have built.
drivers() {
	tests/tutorial.py --source README.md >"$tmp/readme/my_driver.rs"
	tests/tutorial.py --source docs/tutorial.md >"$tmp/readme/postbox.rs"
	diff examples/postbox.rs "$tmp/readme/postbox.rs"
	sed -i 's/^obj-m := /&my_driver.o postbox.o /' "$tmp/readme/Kbuild"
	make M="$tmp/readme" my_driver.o postbox.o
}

# All of rustdoc's warnings are errors. An example that isn't compiled has another language.
rendered() {
	make M="$tmp/readme" obj-m= modules
	tests/links.py $(find "$tmp/readme/html/tracepoint" -name '*.html')
	fails grep -nE '//[/!] ```.*(ignore|no_run|rust)' tracepoint/*.rs tracepoint/*/*.rs
}

silent "source: no unsafe in the samples" no_unsafe
silent "source: every unsafe says what it relies on" sh -c 'tools/unsafe >/dev/null'
silent "source: no \"! COMMAND\" in the test scripts" ignored_by_set_e
name="source: every file names its licence"
if git -c safe.directory="$top" rev-parse 2>/dev/null; then
	silent "$name" licences
else
	ok "$name # SKIP not a git repository"
fi
silent "source: tests/vm.sh runs every script of tests/vm" not_run
silent "source: the mutations in tests/mutations.list still fit the code" tests/mutations.py check
tools/tables.py check
silent "source: files are on their floors, without import circles, and not too long" tests/floors.py
silent "source: rustfmt" make rustfmtcheck
check "source: rust-analyzer's project file contains the samples" rust_analyzer . $samples
check "source: the examples in README.md, docs and doc comments compile" examples
check "source: rustdoc renders the interface without warnings, and its links resolve" rendered
silent "source: the public items are those of docs/public-items" tests/public_items.py "$tmp/readme/html/tracepoint"
silent "source: the links in README.md and docs resolve" tests/links.py README.md docs/*.md tests/mutations.md
check "source: rust-analyzer's project file of a driver contains the library" rust_analyzer "$tmp/readme" readme.rs
check "source: the drivers in README.md and in the tutorial compile" drivers
silent "source: docs/c-to-rust.md has every macro of the kernel's headers" tests/c_names.py "$KDIR" docs/c-to-rust.md
silent "source: the messages in docs/troubleshooting.md exist" tests/messages.py docs/troubleshooting.md
