# SPDX-License-Identifier: GPL-2.0
#
# "make help" lists the targets. Kbuild lists the modules.

ifneq ($(V),1)
Q := @
endif

ifneq ($(words $(CURDIR)),1)
$(error Kbuild does not support paths with spaces: move "$(CURDIR)")
endif

# The kernel's names of this machine's architecture and of the one to build for.
# Debian's names, amd64 and loong64, are accepted, too.
kernel-arch = $(shell echo $1 | sed 's/x86_64\|amd64/x86/; s/aarch64/arm64/; s/loong.*/loongarch/')
host := $(call kernel-arch,$(shell uname -m))
arch := $(call kernel-arch,$(or $(ARCH),$(host)))
# Debian's name, if it isn't this machine's.
foreign := $(if $(filter-out $(host),$(arch)),$(patsubst x86,amd64,$(arch:loongarch=loong64)))

ifneq ($(foreign),)
cross-x86 := x86_64-linux-gnu-
cross-arm64 := aarch64-linux-gnu-
cross-loongarch := loongarch64-linux-gnu-
CROSS_COMPILE ?= $(cross-$(arch))
endif

release := $(shell uname -r)
ifeq ($(foreign),)
KDIR ?= $(firstword $(wildcard /usr/src/linux-rust-$(release)) /lib/modules/$(release)/build)
else
KDIR ?= $(or $(shell ls -d /usr/src/linux-rust-*[0-9]-$(foreign) 2>/dev/null | sort -V | tail -n 1), \
	/usr/src/linux-rust-VERSION-$(foreign))
endif

# Default to the compiler that built the tree, unless that was a native one and this is
# a cross build. Make hands variables from the command line down to Kbuild by itself.
conf := $(wildcard $(KDIR)/include/config/auto.conf)
ifneq ($(conf),)
ifeq ($(LLVM)$(filter command,$(origin CC)),)
ifneq ($(shell grep CONFIG_CC_IS_CLANG=y $(conf)),)
tools := LLVM=1
else
cc := $(shell sed -n 's/^CONFIG_CC_VERSION_TEXT="*\([^ "]*\).*/\1/p' $(conf))
cc := $(if $(foreign),$(filter $(CROSS_COMPILE)%,$(cc)),$(cc))
tools := $(if $(shell command -v $(cc)),CC=$(cc))
endif
endif
endif
tools += $(if $(ARCH),ARCH=$(arch)) $(if $(foreign),CROSS_COMPILE=$(CROSS_COMPILE))

# Without vmlinux in the tree, Kbuild skips BTF and prints a message for each
# module.
tools += $(if $(wildcard $(KDIR)/vmlinux),,CONFIG_DEBUG_INFO_BTF_MODULES=)

# The directory of the modules to build.
M ?= .

kbuild = $(MAKE) --no-print-directory -C $(KDIR) M=$(abspath $(M)) $(tools)

# The root has its own make and kernel, so only variables from the command line
# are passed on.
in-root = MAKEFLAGS= tools/in-root make --no-print-directory -j$(shell nproc) $(MAKEOVERRIDES)

rust-files = $(shell find . \( -name '.?*' -o -name target \) -prune -o \
	-name '*.rs' ! -name '*generated*' -print)
# Reads stdin: given a file name, rustfmt would also format the file's modules.
rustfmt = rustfmt --edition 2021 --config newline_style=Unix <$$f

single := $(filter %.o %.i %.s %.ll %.rsi %.ko,$(MAKECMDGOALS))

.SUFFIXES:
PHONY := all modules modules_install clippy rust-analyzer rustfmt rustfmtcheck \
	 clean help check kernel-rust root demo test test-debug test-kcsan test-matrix test-events \
	 test-timeline test-perfetto test-memory test-mutants fuzz picture bench unsafe unsafe-citations
.PHONY: $(PHONY) $(single)

all: modules

check:
	@CC="$(if $(filter command,$(origin CC)),$(CC))" ARCH=$(arch) \
		CROSS_CC="$(if $(foreign),$(or $(cc),$(CROSS_COMPILE)gcc))" tools/check-kdir '$(KDIR)'

modules modules_install $(single): check
	$(Q)$(kbuild) $@

rust-analyzer: check
	$(Q)$(kbuild) $@
	$(Q)tools/rust-analyzer $(abspath $(M))

# Without a key, as in Debian's trees, Kbuild would fail to sign and print errors.
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
	$(Q)find $(M) -name .tracepoint -prune -exec rm -rf {} +
	$(Q)find $(M) -name '.?*' -type d -prune -o -type f \( -name '*.[ios]' -o -name '*.ko' \
		-o -name '*.ll' -o -name '*.rsi' -o -name '*.mod' -o -name '*.mod.c' \
		-o -name '.*.cmd' -o -name '.*.d' -o -name '.*.tmp' -o -name modules.order \) \
		-exec rm -f {} +
endif
	$(Q)find $(M) -name '.?*' -type d -prune -o \
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

test-events: root
	$(Q)tools/in-root tests/events/check README.md

test-timeline: root
	$(Q)tools/browser
	$(Q)tests/run timeline

test-perfetto: export SUITE := sid
test-perfetto:
	$(Q)tools/perfetto
	$(Q)tests/run perfetto

test-memory: root
	$(Q)tools/evidence
	$(Q)tests/run memory

test-mutants: root
	$(Q)tools/evidence
	$(Q)tests/run mutants

fuzz: export SEED := $(SEED)
fuzz: export SECONDS := $(or $(SECONDS),60)
fuzz: root
	$(Q)tests/run fuzz

unsafe:
	$(Q)tools/unsafe --summary
	$(Q)tools/unsafe --update

unsafe-citations: root
	$(Q)tools/in-root tools/unsafe --citations

picture: root
	$(Q)tools/browser
	$(Q)$(in-root) modules
	$(Q)tools/vm tests/timeline/record >docs/.timeline.trace
	$(Q)tools/in-root tests/timeline/picture docs/timeline.png docs/.timeline.trace
	$(Q)rm docs/.timeline.trace

bench: root
	$(Q)bench/run

help:
	@echo 'Cleaning targets:'
	@echo '  clean           - Remove generated files'
	@echo ''
	@echo 'Build targets (KDIR=$(KDIR)):'
	@echo '* all             - Build all modules'
	@echo '  modules         - Same as all'
	@echo '  modules_install - Install the modules for that kernel'
	@echo '                    (INSTALL_MOD_PATH=DIR installs below DIR)'
	@echo '  kernel-rust     - Prepare a tree with Rust metadata for the running Debian kernel'
	@echo '                    in /usr/src/linux-rust-$(release) (as root);'
	@echo '                    with ARCH=, for the newest kernel of that architecture'
	@echo '  FILE.o, FILE.s, FILE.ll, FILE.rsi, FILE.ko'
	@echo '                  - Build one object, assembly, LLVM IR, macro-expanded source or module'
	@echo ''
	@echo 'Static analysis and formatting:'
	@echo '  clippy          - Check the modules with clippy, using the kernel'\''s lints'
	@echo '  rustfmt         - Format all Rust files'
	@echo '  rustfmtcheck    - Check that all Rust files are formatted'
	@echo '  unsafe          - Count each "unsafe" and what it relies on, and update docs/evidence.md'
	@echo '  rust-analyzer   - Generate rust-project.json for rust-analyzer, after a build'
	@echo ''
	@echo 'In a virtual machine with Debian'\''s kernel (as root, on Debian):'
	@echo '  demo            - Demonstrate the sample modules'
	@echo '  test            - Run the tests'
	@echo '  test-debug      - Build a kernel with KASAN, lockdep etc. and run the tests on it'
	@echo '  test-kcsan      - The same with KCSAN, which detects data races'
	@echo '  test-matrix     - Run the tests on each of Debian'\''s kernels and update docs/testing.md'
	@echo '  test-events     - Translate all events of the kernel and its modules from C, compare the'
	@echo '                    results with them and update README.md'
	@echo '  test-timeline   - Test the pages of tools/timeline in Chromium, which is installed first'
	@echo '  test-perfetto   - Record spans with Perfetto, which is installed first, and check the recordings'
	@echo '  test-memory     - Run the host tests with AddressSanitizer, valgrind and the compiler'\''s'
	@echo '                    interpreter, which find wrong accesses to memory'
	@echo '  test-mutants    - Change the parts that need no kernel, and see whether a test notices'
	@echo '  fuzz            - Fuzz the macros and tools for SECONDS= [60], starting with SEED= [1]'
	@echo '  picture         - Take the picture of such a page, docs/timeline.png'
	@echo '  bench           - Compare the costs of Rust and C and update docs/benchmarks.md'
	@echo '  unsafe-citations - Compare what the comments cite with the source of the kernel'
	@echo '  root            - Only create the Debian root that these targets use'
	@echo ''
	@echo '  make M=DIR         - Build the modules of another directory, such as bench or tests/modules'
	@echo '  make V=1           - Show the commands'
	@echo '  make W=1           - Enable more warnings'
	@echo '  make KDIR=DIR      - Build against the prepared kernel tree DIR'
	@echo '  make ARCH=         - Build, demonstrate, test … for amd64, arm64 or loong64'
	@echo '  make CC=, LLVM=, … - Passed to Kbuild; the default is the compiler that built the tree'
