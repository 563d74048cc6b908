# The front door of Meridian.
#
#   make                   build everything into build/
#   make demo              build, then count the k-mers of real sequencing reads with N=4 threads
#   make check             build, then run the tests: of those that take long a sample, another for each commit
#   make check-all         build, then run all tests
#   make install PREFIX=…  install (default /usr/local; DESTDIR is honoured); make uninstall takes it away
#   make help              the other targets
#
# One `make` over two build systems: cargo builds the command (crates/), CMake the runtime (runtime/). Each
# knows its own outdated parts, so both are asked every time, which takes a fraction of a second. build/ is
# laid out like an installation (bin, lib, include): the command finds the runtime relative to itself, in
# either place.

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := all
SHELL := /bin/bash

PREFIX ?= /usr/local
DESTDIR ?=
N ?= 4
CARGO ?= cargo
CMAKE ?= cmake

# Relative paths, since the checkout may lie in a directory with blanks in its name, which make cannot handle.
build := build
bin := $(build)/bin
meridian := "$(CURDIR)/$(bin)/meridian"
cargo := CARGO_TARGET_DIR=$(build)/cargo $(CARGO)
# A word quoted for the shell, with any characters.
quoted = '$(subst ','\'',$(1))'
# Neither cargo nor CMake may see a packager's place for the installation.
unexport DESTDIR PREFIX
c_sources := $(shell find runtime examples bench crates -name '*.[ch]' -not -path '*/target/*' 2>/dev/null)
say = @printf '  %-8s %s\n' $(1) $(2)

.PHONY: all command runtime manual setup demo check check-all check-crates check-runtime check-upc check-jobs check-reference check-net check-install \
	check-mutants check-tools check-world bench bench-collectives bench-polyshift bench-id90 bench-delay bench-net soak-id fuzz format lint install uninstall clean help

# If no source is newer than the last build, there is nothing to do, and cargo and CMake are not asked. The
# names before -newer are the sources, with directories (for removed files), and the log of git's HEAD.
made := $(build)/made
all:
	@[ -f $(made) ] && [ -x $(bin)/meridian ] && [ -f $(build)/lib/libmeridian.a ] && \
	    [ -z "$$(find crates runtime python Cargo.toml Cargo.lock Makefile packaging/setup \
	        $$(git rev-parse --git-path logs/HEAD 2>/dev/null) -newer $(made) -print -quit 2>/dev/null)" ] || \
	    { mkdir -p $(build) && touch $(made).new && $(MAKE) command runtime && mv $(made).new $(made); }

# ---- build -------------------------------------------------------------------------------------------------

setup:
	@packaging/setup build

# A rename puts the binary in place, so that a running one is left alone, and only if it has changed.
command: setup
	@$(cargo) build --quiet --release --locked -p cli
	@mkdir -p $(bin)
	@cmp -s $(build)/cargo/release/meridian $(bin)/meridian || { \
	    printf '  %-8s %s\n' BUILT build/bin/meridian; \
	    cp $(build)/cargo/release/meridian $(bin)/meridian.$$$$ && mv $(bin)/meridian.$$$$ $(bin)/meridian; }
	@ln -sfn meridian $(bin)/upcc
	@ln -sfn meridian $(bin)/upcrun
	@ln -sfn meridian $(bin)/ac
	@mkdir -p $(build)/share/meridian
	@ln -sfn ../../../bench $(build)/share/meridian/bench

# CMake's own make is given its jobs by CMake, not by this make. $(1): the build's directory in build/, $(2): ON
# or OFF, whether the runtime's tests are built too, which takes longer than the runtime; a warning fails these.
runtime_build = grep -qs 'MERIDIAN_WARNINGS_FAIL:[A-Z]*=$(2)' $(build)/$(1)/CMakeCache.txt || $(CMAKE) -S runtime -B $(build)/$(1) \
	    -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_TESTING=$(2) -DMERIDIAN_WARNINGS_FAIL=$(2) $(call quietly,$(1)); \
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL $(CMAKE) --build $(build)/$(1) --parallel $(shell nproc) $(call quietly,$(1))
quietly = >$(build)/$(1).log 2>&1 || { cat $(build)/$(1).log; exit 1; }

runtime: setup | $(build)
	@[ -f $(build)/runtime/Makefile ] || packaging/setup network hdf5
	@$(call runtime_build,runtime,OFF)
	@grep -B 1 -A 6 'warning:' $(build)/runtime.log || true
	@umask 022; $(CMAKE) --install $(build)/runtime --prefix "$(CURDIR)/$(build)" \
	    | sed -n -E 's,^-- Installing: .*/build/(lib/.*\.(a|so))$$,  BUILT    build/\1,p'

$(build):
	@mkdir -p $@

manual: command
	@$(meridian) man --out $(build)/share/man/man1 --completions $(build)/share/completions

# ---- run and test ------------------------------------------------------------------------------------------

demo: all
	@packaging/setup demo || true
	@examples/demo $(meridian) $(N)

# Tests that take long run as a sample (tests/src/sample.rs), which this number chooses: by default the first
# digits of the commit, or without git the day. `make check SAMPLE=1234` repeats a sample, SAMPLE=all runs all.
SAMPLE ?= $(shell printf %d 0x$$(git rev-parse --short=7 HEAD 2>/dev/null || printf %x $$(($$(date +%s) / 86400))))
SAMPLE := $(SAMPLE)
sampled_parts := check-crates check-upc check-jobs
$(sampled_parts): export MERIDIAN_TEST_SAMPLE := $(SAMPLE)
say_sample = @printf '  %-8s %s\n' SAMPLE \
	"$(if $(filter all,$(SAMPLE)),all tests,$(SAMPLE): make $@ SAMPLE=$(SAMPLE) repeats it; make check-all runs all)"

# The parts of `make check`, in two rows that run at the same time: the parts of the first mostly compute, those of
# the second mostly wait. All of them run, even if one fails; the last line counts the tests of all.
first_row := check-crates check-upc
second_row := check-runtime check-jobs check-install
row = for part in $(1); do $(MAKE) $$part SAMPLE=$(SAMPLE) || true; done
check-all:
	@$(MAKE) check SAMPLE=all
check: all
	@packaging/setup test && { packaging/setup net || true; }
	@rm -f $(patsubst %,$(build)/%.log,$(first_row) $(second_row))
	@set -m; ( $(call row,$(second_row)) ) & second=$$!; set +m; \
	    trap 'kill -- -$$second; exit 1' INT TERM; $(call row,$(first_row)); \
	    wait $$second
	@printf '\n'; tests/tally total=1 $(patsubst %,$(build)/%.log,$(first_row) $(second_row))

# Runs the command $(1) as a part of the tests, reports its progress, and counts its tests; if it fails, its
# whole log is shown. The output at its end comes in one piece, since another part may be running.
tested = tests/progress $@ $(build)/$@.log & progress=$$!; \
	    code=0; ( $(1) ) >$(build)/$@.log 2>&1 || code=$$?; kill $$progress; wait $$progress; \
	    said=$$([ $$code = 0 ] || cat $(build)/$@.log; printf '  %-8s %s\n' ENDED $@; tests/tally $(build)/$@.log) \
	        || code=1; printf '%s\n' "$$said"; exit $$code
# Always for the whole workspace, with some of its test programs: for some packages alone cargo would compile
# their dependencies once more, with fewer features.
cargo_test = $(cargo) test --locked --no-fail-fast --workspace $(1)
# The names of the test programs in directories; as options of cargo.
test_programs = $(sort $(notdir $(basename $(patsubst %/main.rs,%,$(wildcard $(1:%=%/*.rs) $(1:%=%/*/main.rs))))))
each_test = $(1:%=--test %)
# The test programs with jobs on several hosts, or with other launchers and tools.
job_tests := addresses bench crowds encryption gdb hosts launchers limits network_faults pmi2 strangers tools
upc_tests := $(filter-out $(job_tests),$(call test_programs,tests/tests))
# cargo finds a test program by its name in every package: one of a name that is in two parts would run in both.
crate_tests := $(call test_programs,$(wildcard crates/*/tests))
$(foreach name,$(filter $(crate_tests),$(call test_programs,tests/tests)),$(error two parts have tests `$(name)`))
# ctest does not show the output of skipped tests, which has their reasons; its own log does.
run_ctest = rm -f $(build)/runtime-tests/Testing/Temporary/LastTest.log; code=0; \
	    ctest --test-dir $(build)/runtime-tests --output-on-failure --parallel 2 $(1) || code=$$?; \
	    grep '^skipped: ' $(build)/runtime-tests/Testing/Temporary/LastTest.log; exit $$code

check-crates: all
	@packaging/setup test
	@packaging/setup net || true
	$(call say,CHECK,"crates")
	$(say_sample)
	@$(call tested,$(call cargo_test,--lib --bins $(call each_test,$(crate_tests))); \
	    code=$$?; $(call cargo_test,--doc) && exit $$code)

check-runtime: runtime
	@packaging/setup test
	$(call say,CHECK,"runtime")
	@$(call runtime_build,runtime-tests,ON)
	@$(call tested,$(call run_ctest,--timeout 1200))

# Projects with other tools, the sections of docs/tools.md; check-jobs runs the sections whose tools are
# installed.
check-tools: all
	@packaging/setup test tools
	$(call say,CHECK,"other tools")
	@export MERIDIAN=$(meridian); $(call tested,$(call cargo_test,$(call each_test,tools gdb clangd)))

check-upc: all
	@packaging/setup test
	$(call say,CHECK,"programs")
	$(say_sample)
	@export MERIDIAN=$(meridian); $(call tested,$(call cargo_test,$(call each_test,$(upc_tests))))

check-jobs: all
	@packaging/setup test
	@packaging/setup net || true
	$(call say,CHECK,"jobs on several hosts and of other launchers")
	$(say_sample)
	@export MERIDIAN=$(meridian); $(call tested,$(call cargo_test,$(call each_test,$(job_tests))))

# Everything once more with the memory of other threads reached by active message (docs/active-messages.md); a
# part of this is in check-upc.
check-reference: export MERIDIAN_REFERENCE := 1
check-reference: all
	@packaging/setup test
	@$(call runtime_build,runtime-tests,ON)
	$(call say,CHECK,"by active messages: runtime and programs")
	@export MERIDIAN=$(meridian); $(call tested,($(call run_ctest,--timeout 1200 -E model)); code=$$?; \
	    $(call cargo_test,$(call each_test,upc examples)) && exit $$code)

# Jobs over networks that the tests make: network namespaces, which take root.  Then every program over two and
# three hosts, which are this machine several times, and over two by libfabric; a part of that is in check-jobs.
check-net: export MERIDIAN_TEST_HOSTS := 2,3
check-net: all
	@packaging/setup test net
	$(call say,CHECK,"several hosts")
	@export MERIDIAN=$(meridian); $(call tested,$(call cargo_test,$(call each_test,net \
	    hosts examples launchers limits network_faults)); code=$$?; \
	    $(call cargo_test,$(call each_test,optimisations)) || code=$$?; \
	    $(call cargo_test,$(call each_test,random)) -- late && exit $$code)

check-install: all manual
	$(call say,CHECK,"installation")
	@$(call tested,tests/install/run)

# Shows that the tests find faults: deliberate ones in the runtime (runtime/tests/faults), and mutants of the
# compiler and the launcher, drawn by SEED (tests/mutants).
SEED ?= 1
check-mutants: all
	@packaging/setup test net mutants
	$(call say,CHECK,"faults of the runtime")
	@$(call tested,$(cargo) run --locked -p tests --bin faults)
	$(call say,CHECK,"mutants of the compiler and the launcher")
	@$(call tested,$(cargo) run --locked -p tests --bin mutants -- $(SEED))

check-world: all
	@packaging/setup world
	@MERIDIAN=$(meridian) tests/world/run

# Figures, never a test: ratios within one run. BENCH takes the options of `meridian bench`, as BENCH='--quick bulk'.
bench: all
	@mkdir -p $(build)/bench
	@$(meridian) bench --output $(build)/bench/results.jsonl $(BENCH)
	@$(meridian) bench report $(build)/bench/results.jsonl

# The collectives beside those of the available MPI libraries.
bench-collectives: all
	@packaging/setup rivals || true
	@$(MAKE) --no-print-directory bench BENCH="collectives $(BENCH)"

# Shifts and stencils of distributed arrays, beside gfortran, NumPy, MPI and Devito, which are installed
# first.
bench-polyshift: all
	@packaging/setup array rivals devito || true
	@$(MAKE) --no-print-directory bench BENCH="shifts stencils $(BENCH)"

# The Id programs: threads made in both ways, beside C, and beside Haskell, which is installed first.
bench-id90: all
	@packaging/setup haskell || true
	@$(MAKE) --no-print-directory bench BENCH="id90 $(BENCH)"

# Operations, kernels and loops between two hosts that are network namespaces, 50 us from each other: takes root.
bench-delay: all
	@packaging/setup test net rivals || true
	@mkdir -p $(build)/bench
	@$(cargo) run --quiet --locked -p tests --bin delayed -- 50 $(meridian) bench -H HOSTS --conduit tcp \
	    --output $(build)/bench/delay.jsonl $(or $(BENCH),operations kernels loops irregular)

# Packets between two hosts beside those of a bare socket and of libfabric.
bench-net: all
	@packaging/setup network || true
	@$(MAKE) --no-print-directory bench BENCH="packets $(BENCH)"

# Ten thousand runs of Id programs, in random orders.
soak-id: all
	$(call say,CHECK,"ten thousand runs of Id programs")
	@export MERIDIAN=$(meridian) MERIDIAN_TEST_RUNS=10000; $(call tested,$(call cargo_test,--test id) -- stress/)

fuzz: setup
	@packaging/setup fuzz
	@tests/fuzz/run $(TIME)

# ---- format ------------------------------------------------------------------------------------------------

format:
	@packaging/setup lint
	@$(CARGO) fmt --all
	@clang-format -i $(c_sources)

lint:
	@packaging/setup build lint
	@$(CARGO) fmt --all --check
	@clang-format --dry-run --Werror $(c_sources)
	@$(cargo) clippy --quiet --release --locked --workspace --all-targets -- -D warnings
	@packaging/deny

# ---- install -----------------------------------------------------------------------------------------------

install: all manual
	@packaging/install $(build) $(call quoted,$(DESTDIR)) $(call quoted,$(PREFIX))
	$(call say,INSTALLED,$(call quoted,$(DESTDIR)$(PREFIX)/bin/meridian))

uninstall:
	@packaging/install --remove $(call quoted,$(DESTDIR)) $(call quoted,$(PREFIX))

clean:
	@rm -rf $(build)

help:
	@awk '/^#   make/ { sub(/^# /, ""); print }' Makefile
	@printf '%s\n' \
	    '  make check-crates      one part of the tests; so check-runtime, check-upc, check-jobs, check-install' \
	    '  make check-tools       projects with CMake, Meson, valgrind, MPI, ...; installs these tools' \
	    '  make check-reference   the programs by active messages alone (MERIDIAN_REFERENCE=1)' \
	    '  make check-net         jobs on several hosts (network namespaces: takes root), and all programs so' \
	    '  make check-mutants     show that the tests find faults: some in the runtime, and mutants drawn by SEED=1' \
	    '  make check-world       suites by make, CMake and Meson; C code bases, whose sources it fetches' \
	    '  make bench             measure the gray box, and kernels against plain C; BENCH=--help: what there is to choose' \
	    '  make bench-collectives measure the collectives against Open MPI and MPICH' \
	    '  make bench-polyshift   measure shifts of distributed arrays and stencils' \
	    '  make bench-id90        measure Id programs against C, and the ways of making threads' \
	    '  make bench-delay       measure between two hosts that are 50 us from each other (takes root)' \
	    '  make bench-net         measure packets between hosts against a bare socket and libfabric' \
	    '  make soak-id           ten thousand runs of Id programs: no value and no wake-up is lost' \
	    '  make fuzz TIME=60      throw broken programs at the front end, and random loops at the optimiser' \
	    '  make manual            the manual pages, into build/share/man' \
	    '  make format, make lint formatting and static checks' \
	    '  make clean             remove build/'
