# SPDX-License-Identifier: GPL-2.0
#
# "make help" lists the targets. Kbuild lists the modules.

include tracepoint/Makefile.driver

.PHONY: root demo test test-debug test-kcsan test-matrix test-events test-timeline test-perfetto \
	test-memory test-mutants test-mutations test-tutorial test-configs patches test-patches fuzz picture bench bench-scale \
	deb test-deb rustdoc unsafe unsafe-citations

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
	$(Q)tools/in-root tests/events/check --update
	$(Q)tools/in-root tests/events/pointers --update

test-timeline: root
	$(Q)tools/browser
	$(Q)tests/run timeline

test-perfetto: export SUITE := sid
test-perfetto:
	$(Q)tools/perfetto
	$(Q)tests/run perfetto

test-tutorial: root
	$(Q)tests/run tutorial

test-memory: root
	$(Q)tools/evidence
	$(Q)tests/run memory

test-mutants: root
	$(Q)tools/evidence
	$(Q)tests/run mutants

test-mutations: export NAMES := $(NAMES)
test-mutations: root
	$(Q)tests/run build mutations

test-configs: root
	$(Q)tools/config-trees
	$(Q)tests/run configs

patches: root
	$(Q)source=$$(tools/kernel-source) && tools/in-root tools/patches "$$source" build/patches

test-patches: patches
	$(Q)tests/patches/run

fuzz: export SEED := $(SEED)
fuzz: export SECONDS := $(or $(SECONDS),60)
fuzz: root
	$(Q)tests/run fuzz

rustdoc: M := docs/rustdoc
rustdoc: check
	$(Q)$(kbuild) modules
	@echo 'Rendered: file://$(CURDIR)/docs/rustdoc/html/tracepoint/index.html'

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

bench-scale: root
	$(Q)bench/scale

bench: root
	$(Q)bench/run

deb: root
	$(Q)tools/deb

# With a file that git doesn't track, which must not get into a package.
test-deb: root
	$(Q)touch tracepoint/untracked
	$(Q)tools/deb; status=$$?; rm tracepoint/untracked; exit $$status
	$(Q)tools/deb-root
	$(Q)tests/run deb

help::
	@echo ''
	@echo 'Documentation and review:'
	@echo '  rustdoc         - Render the documentation of the library'\''s interface'
	@echo '  unsafe          - Count each "unsafe" by what it relies on, and update docs/testing.md'
	@echo '  unsafe-citations'
	@echo '                  - Compare what comments on "unsafe" cite with the kernel'\''s source (in the'
	@echo '                    Debian root, as root)'
	@echo ''
	@echo 'In a Debian root and a virtual machine (as root, on Debian; ARCH= emulates another architecture):'
	@echo '  demo            - Demonstrate the sample modules'
	@echo '  test            - Run the tests'
	@echo '  test-debug      - Build a kernel with KASAN, lockdep etc. and run the tests on it'
	@echo '  test-kcsan      - The same with KCSAN, which detects data races'
	@echo '  test-matrix     - Run the tests on each of Debian'\''s kernels and update docs/testing.md'
	@echo '  test-configs    - Build the modules for kernels with other configurations, tests/configs'
	@echo '  patches         - Write the series of patches for the kernel to build/patches'
	@echo '  test-patches    - Build and boot kernels with the patches in build/patches, and compare their events'
	@echo '                    with those of the kernel without'
	@echo '  test-events     - Translate all events of the kernel and its modules from C, compare the'
	@echo '                    results with the originals and update README.md and docs/'
	@echo '  test-timeline   - Test the pages of tools/timeline in Chromium, which is installed first'
	@echo '  test-perfetto   - Record spans with Perfetto, which is installed first, and check the recordings'
	@echo '  test-tutorial   - Type the commands of docs/tutorial.md and compare the output'
	@echo '  test-memory     - Run the host tests with AddressSanitizer, valgrind and the compiler'\''s'
	@echo '                    interpreter, which find invalid memory accesses'
	@echo '  test-mutants    - Change the code that needs no kernel, and see whether a test notices'
	@echo '  test-mutations  - Make mistakes in the code that needs one, see whether a test in the virtual'
	@echo '                    machine notices, and update tests/mutations.md'
	@echo '  fuzz            - Fuzz the macros and tools for SECONDS= [60], starting with SEED= [1]'
	@echo '  picture         - Take a new screenshot of a timeline, docs/timeline.png'
	@echo '  bench           - Compare the costs of Rust and C, update docs/benchmarks.md and README.md'
	@echo '  bench-scale     - Measure how they grow with CPUs, events and instances'
	@echo '  deb             - Build the Debian packages, in deb/'
	@echo '  test-deb        - Install the packages in a bare Debian 13, upgrade its kernel from 7.2 to 7.3,'
	@echo '                    load the modules on both and remove everything'
	@echo '  root            - Only create the Debian root'
