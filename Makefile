# SPDX-License-Identifier: GPL-2.0
#
# "make help" lists the targets. The modules themselves are in Kbuild.

ifneq ($(V),1)
Q := @
endif

ifneq ($(words $(CURDIR)),1)
$(error Kbuild takes no path with a space in it: move "$(CURDIR)")
endif

release := $(shell uname -r)
KDIR ?= $(firstword $(wildcard /usr/src/linux-rust-$(release)) /lib/modules/$(release)/build)

# The tree's own compiler, unless another is asked for. What is given on the
# command line reaches Kbuild by itself.
conf := $(wildcard $(KDIR)/include/config/auto.conf)
ifneq ($(conf),)
ifeq ($(LLVM)$(filter command,$(origin CC)),)
ifneq ($(shell grep CONFIG_CC_IS_CLANG=y $(conf)),)
tools := LLVM=1
else
cc := $(shell sed -n 's/^CONFIG_CC_VERSION_TEXT="*\([^ "]*\).*/\1/p' $(conf))
tools := $(if $(shell command -v $(cc)),CC=$(cc))
endif
endif
endif

# Where a tree has no vmlinux, Kbuild makes no BTF and says so for each module.
tools += $(if $(wildcard $(KDIR)/vmlinux),,CONFIG_DEBUG_INFO_BTF_MODULES=)

# The directory whose modules are built.
M ?= .

kbuild = $(MAKE) --no-print-directory -C $(KDIR) M=$(abspath $(M)) $(tools)

# The root has its own make and its own kernel; what is given on the command
# line holds there too.
in-root = MAKEFLAGS= tools/in-root make --no-print-directory -j$(shell nproc) $(MAKEOVERRIDES)

rust-files = $(shell find . \( -name '.?*' -o -name target \) -prune -o \
	-name '*.rs' ! -name '*generated*' -print)
# Given a file's name, it would go on to the modules of that file.
rustfmt = rustfmt --edition 2021 --config newline_style=Unix <$$f

single := $(filter %.o %.i %.s %.ll %.rsi %.ko,$(MAKECMDGOALS))

.SUFFIXES:
PHONY := all modules modules_install clippy rust-analyzer rustfmt rustfmtcheck \
	 clean help check kernel-rust root demo test test-debug test-kcsan test-matrix bench
.PHONY: $(PHONY) $(single)

all: modules

check:
	@CC="$(if $(filter command,$(origin CC)),$(CC))" tools/check-kdir '$(KDIR)'

modules modules_install rust-analyzer $(single): check
	$(Q)$(kbuild) $@

# Without the key, as in Debian's trees, Kbuild fails to sign and says so.
modules_install: tools += $(if $(wildcard $(KDIR)/certs/signing_key.x509),,CONFIG_MODULE_SIG_ALL=)

clippy: check
	$(Q)$(kbuild) CLIPPY=1 modules

rustfmt:
	$(Q)for f in $(rust-files); do \
		new=$$($(rustfmt)) || { echo "in $$f" >&2; exit 1; }; \
		printf "%s\n" "$$new" | cmp -s - $$f || printf "%s\n" "$$new" >$$f; \
	done

rustfmtcheck:
	$(Q)fail=; for f in $(rust-files); do \
		$(rustfmt) | diff -u --label $$f --label "$$f, formatted" $$f - || fail=1; \
	done; [ -z "$$fail" ]

clean:
ifneq ($(wildcard $(KDIR)/Makefile),)
	$(Q)$(kbuild) $@
else
	$(Q)find . -name '.?*' -type d -prune -o -type f \( -name '*.[ios]' -o -name '*.ko' \
		-o -name '*.ll' -o -name '*.rsi' -o -name '*.mod' -o -name '*.mod.c' \
		-o -name '.*.cmd' -o -name '.*.d' -o -name '.*.tmp' -o -name modules.order \
		-o -path '*/bindings/generated*.rs' \) -exec rm -f {} +
endif
	$(Q)find . -name '.?*' -type d -prune -o \
		\( -name Module.symvers -o -name rust-project.json \) -exec rm -f {} +

kernel-rust:
	$(Q)tools/kernel-rust

root:
	$(Q)tools/debian-root

demo: root
	$(Q)$(in-root) modules
	$(Q)$(in-root) modules_install
	@echo '  QEMU    tools/demo'
	$(Q)tools/vm tools/demo

test: root
	$(Q)tests/run

test-debug test-kcsan: test-%: root
	$(Q)tools/debug-kernel $*
	$(Q)KDIR=/usr/src/linux-$* tests/run build vm

test-matrix:
	$(Q)tests/matrix

bench: root
	$(Q)bench/run

help:
	@echo 'Cleaning targets:'
	@echo '  clean           - Remove what the build made'
	@echo ''
	@echo 'Building, against KDIR=$(KDIR):'
	@echo '* all             - Build all modules'
	@echo '  modules         - The same'
	@echo '  modules_install - Install the modules for that kernel (INSTALL_MOD_PATH=DIR: below DIR)'
	@echo '  kernel-rust     - Make a tree with Rust metadata for the running kernel,'
	@echo '                    if that is Debian'\''s: /usr/src/linux-rust-$(release) (as root)'
	@echo '  FILE.o, FILE.s, FILE.ll, FILE.rsi, FILE.ko'
	@echo '                  - One object, its assembly, its LLVM code, its expanded macros, one module'
	@echo ''
	@echo 'Static analysis and formatting:'
	@echo '  clippy          - Build with clippy, with the kernel'\''s lints'
	@echo '  rustfmt         - Format all Rust files'
	@echo '  rustfmtcheck    - Check that they are formatted'
	@echo '  rust-analyzer   - Make rust-project.json for rust-analyzer'
	@echo ''
	@echo 'In a virtual machine with Debian'\''s kernel (as root, on Debian):'
	@echo '  demo            - Show the sample modules at work'
	@echo '  test            - Run the tests'
	@echo '  test-debug      - Build a kernel with KASAN, lockdep and the like; run them with it'
	@echo '  test-kcsan      - The same with a kernel that looks for data races'
	@echo '  test-matrix     - Run them with each of Debian'\''s kernels; the table goes into docs/testing.md'
	@echo '  bench           - Count what Rust costs beside C'
	@echo '  root            - Only make the Debian root that both use'
	@echo ''
	@echo '  make M=DIR         - Build the modules of another directory: bench, tests/modules'
	@echo '  make V=1           - Show the commands'
	@echo '  make W=1           - More warnings'
	@echo '  make KDIR=DIR      - Build against the prepared kernel tree DIR'
	@echo '  make CC=, LLVM=, … - Handed to Kbuild; the compiler is the tree'\''s own by default'
