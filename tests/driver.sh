#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of tools/new-driver and its refusals, of the Makefile that drivers include, and of
# where tools/in-root can run. build.sh builds a new driver, and tests/vm/modules.sh loads
# it.

set -eu
. "${0%/*}/lib.sh"

new="$top/tools/new-driver"
cd "$tmp"
: >output

# refused NAME TEXT ARGUMENT...: new-driver must print one line that has TEXT and leave
# everything as it is.
refused() {
	local name="$1" text="$2" before
	shift 2
	before=$(find . -path ./output -o -printf '%p %T@\n')
	run "$new" "$@"
	if [ "$status" = 1 ] && [ "$(grep -c '' "$tmp/output")" = 1 ] &&
		grep -q "^new-driver: .*$text" "$tmp/output" &&
		[ "$before" = "$(find . -path ./output -o -printf '%p %T@\n')" ]; then
		ok "driver: refused: $name"
	else
		not_ok "driver: refused: $name" "$tmp/output"
	fi
}

longest=a$(printf '_b%.0s' $(seq 27))
refused "an empty name" 'name is empty' ""
refused "capitals" 'has capitals: use my_driver$' MyDriver
refused "other characters" 'other characters' my.driver
refused "a space in the name" 'other characters' "my driver"
refused "a slash in the name" 'other characters' ../driver
refused "a letter outside ASCII" 'other characters' treiberß
refused "a digit first" 'does not start with a letter' 9p_driver
refused "an underscore first" 'does not start with a letter' _driver
refused "a dash last" 'does not end with' driver-
refused "a name that is too long" 'has 56 characters: the kernel allows 55' "${longest}c"
refused "a keyword of Rust" 'keyword' loop
refused "a crate of the kernel's" 'is a crate' kernel
refused "core" 'is a crate' core
refused "this library" 'is a crate' tracepoint
refused "a type of the kernel crate" 'already has a type' this
refused "a system of the kernel's tracers" 'another meaning in tracefs' ftrace
refused "a module of the kernel" 'already has a module "i2c_dev" (kernel/drivers/i2c/i2c-dev.ko' i2c-dev
refused "code that is built into the kernel" 'already has a module "printk" (built in)' printk
refused "an unknown option" 'no option --force' --force
mkdir full
touch full/Kbuild
refused "a directory that is not empty" 'is not empty: it has "Kbuild"' my_driver full
refused "a file" 'is not a directory' my_driver full/Kbuild
refused "a space in the path" 'paths with spaces' my_driver "new driver"
refused "a line break in the path" 'paths with spaces' my_driver "new
driver"
refused "a colon in the path" 'paths with ":"' my_driver new:driver
refused "a dollar sign in the path" 'paths with "\$"' my_driver 'new$driver'
refused "an empty path" 'directory is empty' my_driver ""
refused "a place where no directory can be made" 'cannot create /proc/driver/my ' my_driver /proc/driver/my

# As a user who may not write there.
unwritable() {
	mkdir -m 755 mine
	cp -R "$top/tools" "$top/template" .
	chmod 755 .
	for dir in mine mine/new; do
		fails setpriv --reuid 65534 --clear-groups tools/new-driver my_driver $dir 2>said
		cat said
		grep -q "^new-driver: cannot [a-z ]* $tmp/$dir" said
		[ "$(grep -c '' said)" = 1 ]
	done
	[ -z "$(ls -A mine)" ]
}
check "driver: refused: a directory that is not writable" unwritable

usage() {
	"$new" --help >said
	grep -q '^usage: tools/new-driver NAME \[DIR\]$' said
	fails "$new" 2>said
	fails "$new" a b c 2>said
	grep -q '^usage: tools/new-driver NAME \[DIR\]$' said
}
check "driver: --help and a wrong number of arguments" usage

# Every file of the template, under its new name, and none of the old names in it. The
# template may have been built, so let Git tell the files.
renamed() {
	"$new" other-name
	git init -q listed
	cp -R "$top/template" listed
	git -C listed ls-files -co --exclude-standard |
		sed 's:^template/::; s/my_driver/other_name/' | sort >expected
	(cd other-name && find . -type f | sed 's:^\./::' | sort) | diff expected -
	fails grep -riE 'my.?driver|\.\./' other-name
	for text in 'name: "other_name"' 'system: "other_name"' 'fn other_name_done(' 'struct OtherNameModule '; do
		grep -qF "$text" other-name/other_name.rs
	done
	grep -qx 'PACKAGE_NAME="other-name"' other-name/dkms.conf
	grep -qx "include $top/tracepoint/Kbuild.include" other-name/Kbuild
	grep -qx "include $top/tracepoint/Makefile.driver" other-name/Makefile
	for file in other-name/* other-name/.gitignore; do
		head -n 2 $file | grep -q SPDX-License-Identifier
	done
	[ -x other-name/test ]
	make -C other-name -n test | grep -x "$top/tools/vm ./test"
}
check "driver: everything is renamed" renamed

# README.md shows what the test prints.
in_readme() {
	sed -n 's/^check "\([^"]*\)" .*/ok \1/p' "$top/template/test" >cases
	grep '^ok ' "$top/README.md" | diff cases -
	grep -qx "$(grep -c '' cases) passed, 0 failed" "$top/README.md"
}
check "driver: README.md shows the cases of its test" in_readme

# Relative, absolute, through a link, in a new directory, and in an empty repository.
places() {
	mkdir here below repository
	(cd here && "$new" my_driver .)
	"$new" my_driver below/a/b/
	"$new" my_driver "$tmp/below/absolute"
	mkdir empty
	ln -s empty link
	"$new" my_driver link
	git init -q repository
	"$new" my_driver repository
	"$new" "$longest"
	for dir in here below/a/b below/absolute empty repository; do
		diff -r -x .git here $dir
	done
	grep -q "fn ${longest}_request(" "$longest/$longest.rs"
}
check "driver: in all kinds of places" places

# What a driver's Makefile says before it builds.
messages() {
	"$new" my_driver messages
	make -C messages help | grep '^  rust-analyzer '
	fails env -u KDIR make -C messages KVER=1.2.3 2>said
	cat said
	grep -qx 'error: there is no build tree for kernel 1.2.3: run "sudo make kernel-rust KVER=1.2.3" if it is a Debian kernel, or set KDIR= to a build tree' said
	fails make -C messages RUSTC=true 2>said
	cat said
	grep -q '^error: .* but RUSTC=true is missing: drop RUSTC=, or set it to the kernel.s rustc$' said
	# A library without the tools, as in a package.
	mkdir alone
	cp -R "$top/tracepoint" alone
	sed "s:^include .*/tracepoint/:include $tmp/alone/tracepoint/:" messages/Makefile >messages/GNUmakefile
	fails make -C messages test 2>said
	cat said
	grep -q "there is no $tmp/alone/tools/vm: include tracepoint/Makefile.driver of a checkout" said
	rm messages/GNUmakefile
	mkdir "a space"
	mv messages "a space/driver"
	fails make -C "a space/driver" 2>said
	cat said
	grep -q 'Kbuild does not support paths with spaces or colons: move "/.*/a space/driver"' said
}
check "driver: the messages of its Makefile" messages

# The Debian root once more, to enter from this one. The first mount stands for a machine's
# own root, since unshare finds none mounted in a chroot.
mkdir -p cache/root
cat >in-root <<'END'
#!/bin/sh
export here="$PWD"
exec unshare --mount --propagation unchanged sh -euc '
	mount --rbind / "$tmp/cache/root"
	exec chroot "$tmp/cache/root" "$tmp/enter" "$@"' sh "$@"
END
cat >enter <<'END'
#!/bin/sh
set -eu
mount --rbind / "$tmp/cache/root"
cd "$here"
exec env -u TRACEPOINT_ROOT -u KDIR TRACEPOINT_CACHE="$tmp/cache" "$top/tools/in-root" "$@"
END
chmod +x in-root enter
export tmp top

# shown DIRECTORY [REPOSITORY]: in-root works there, and shows the files in it and in the
# repository.
shown() {
	mkdir -p "$1"
	[ $# = 1 ] || mkdir "$2/.git"
	echo content >"${2-$1}/file"
	(
		cd "$1"
		real=$(pwd -P)
		[ "$("$tmp/in-root" pwd)" = "$real" ]
		"$tmp/in-root" touch written
		[ -e written ]
	)
	(cd "$1" && "$tmp/in-root" cat "${2-$(pwd -P)}/file") | grep -x content
	(cd "$1" && "$tmp/in-root" test -e "$top/tools/in-root")
}
all_shown() {
	shown "$tmp/shown"
	shown "$tmp/some repository/my driver" "$tmp/some repository"
	ln -s shown "$tmp/to_shown"
	shown "$tmp/to_shown"
	# A repository that would hide something is not shown.
	mkdir /tmp/.git
	shown "$tmp/in a repository"
	rmdir /tmp/.git
}
check "in-root: shows the working directory" all_shown

# not_shown DIRECTORY TEXT
not_shown() {
	(cd "$1" && fails "$tmp/in-root" true 2>"$tmp/said")
	cat "$tmp/said"
	grep -q "^in-root: $2" "$tmp/said"
}
none_shown() {
	for dir in / /usr /usr/bin /etc /tmp; do
		not_shown $dir "$dir cannot be shown in the Debian root, which has its own $dir:"
	done
	not_shown /dev/shm "/dev/shm cannot be shown in the Debian root, which has its own /dev:"
	not_shown /proc/sys "/proc/sys cannot be shown in the Debian root, which has its own /proc:"
	not_shown "$tmp/cache" "$tmp/cache is inside the cache directory:"
}
check "in-root: refuses directories that would hide the root's own" none_shown

# refused TEXT ARGUMENT...: in-root doesn't run a command with these arguments.
refused() {
	local text="$1"
	shift
	(cd "$tmp/shown" && fails "$tmp/in-root" "$@" 2>"$tmp/said")
	cat "$tmp/said"
	grep -qxF "in-root: $text" "$tmp/said"
}
arguments_checked() {
	mkdir -p "$tmp/elsewhere"
	echo content | tee "$tmp/elsewhere/trace" >"$tmp.trace"
	ln -s "$tmp/elsewhere/trace" "$tmp/shown/link"
	run_there="the Debian root shows only the working directory, not $tmp/elsewhere: run \"cd $tmp/elsewhere\" first"
	for file in "$tmp/elsewhere/trace" ../elsewhere/trace "$tmp/elsewhere/new" link "M=$tmp/elsewhere/new"; do
		refused "$run_there" echo "$file"
	done
	refused "the Debian root has its own /tmp and doesn't show $tmp.trace: copy it to another directory and work there" \
		cat "$tmp.trace"
	rm "$tmp.trace"
	(cd "$tmp/shown" && "$tmp/in-root" cat file ./file "$tmp/shown/file" "$top/tools/in-root" /etc/passwd /proc/version)
	(cd "$tmp/shown" && "$tmp/in-root" sh -c "cp file new" /no/such/file "$tmp/none/file")
}
check "in-root: refuses files that the root doesn't show" arguments_checked
