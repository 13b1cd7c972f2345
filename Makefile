.DEFAULT_GOAL := help
.PHONY: help demo test bench bench-automata bench-trees bench-paths bench-scale ablate deny corpus bench-corpus execute-suites query-suites kernel-mutants fuzz fuzz-bytes fuzz-holes fuzz-guided fuzz-coverage soundness second-checker install dist clean

CARGO ?= cargo

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## prove and check an example, reject a tampered certificate, show a counterexample
	$(CARGO) build --profile demo --locked -p goatherd -p goatherd-check --no-default-features --features goatherd-check/mimalloc
	@examples/demo

test: ## run all tests (installs libz3 if missing)
	@prover/install-libz3
	$(CARGO) test --workspace --locked

bench: ## measure proving and checking of all examples; Markdown and JSON under target/bench
	@prover/install-libz3
	$(CARGO) build --release --locked -p goatherd -p goatherd-check
	$(CARGO) run --release --locked -q -p goatherd-tests --bin bench

bench-automata: ## measure inclusion on the pairs NAME-a.timbuk, NAME-b.timbuk of the folder PAIRS
	@prover/install-libz3
	$(CARGO) build --release --locked -p goatherd
	$(CARGO) run --release --locked -q -p goatherd-tests --bin bench-automata -- $(PAIRS)

bench-trees: ## measure deciding and checking of the tree models; Markdown and JSON under target/bench
	@prover/install-libz3
	$(CARGO) run --release --locked -q -p goatherd-tests --bin bench-trees

bench-paths: ## measure path analysis beside the published results; Markdown and JSON under target/bench-paths (real functions: make corpus)
	@prover/install-libz3
	$(CARGO) build --release --locked -p goatherd
	$(CARGO) run --release --locked -q -p goatherd-tests --bin bench-paths

bench-scale: ## measure how cost grows with programs that repeat one thing m times; Markdown and JSON under target/bench-scale
	@prover/install-libz3
	$(CARGO) build --release --locked -p goatherd -p goatherd-check
	$(CARGO) run --release --locked -q -p goatherd-tests --bin bench-scale

ablate: ## say what each way to search for a proof is worth: which programs are proved with it, and not without; a Markdown table
	@prover/install-libz3
	$(CARGO) run --release --locked -q -p goatherd-tests --bin ablate -- $(FOLDERS)

deny: ## check licences, bans and sources of all dependencies with cargo-deny (installs it if missing)
	@command -v cargo-deny >/dev/null || $(CARGO) install cargo-deny --locked
	$(CARGO) deny check licenses bans sources

corpus: ## fetch real functions by recipe and write their harnesses, with buggy twins, to target/corpus (Debian only)
	@$(CARGO) run --locked -q -p goatherd-tests --bin corpus

bench-corpus: corpus ## prove and check all of these, run them on small inputs, and report to target/bench-corpus (JOBS=N)
	@prover/install-libz3
	$(CARGO) build --release --locked -p goatherd -p goatherd-check
	$(CARGO) run --release --locked -q -p goatherd-tests --bin corpus-confirm -- $(if $(JOBS),--jobs $(JOBS))
	$(CARGO) run --release --locked -q -p goatherd-tests --bin bench-corpus -- $(if $(JOBS),--jobs $(JOBS))

execute-suites: COUNT ?= 100
execute-suites: SEED ?= 1
execute-suites: ## run programs that compilers are tested with by front end and interpreter (NAMES=... CHECKOUTS=FOLDER COUNT=N SEED=N JOBS=N; tests/suites)
	$(CARGO) run --locked -q -p goatherd-tests --bin execute-suites -- --csmith $(COUNT) --seed $(SEED) \
		$(if $(CHECKOUTS),--checkouts $(CHECKOUTS)) $(if $(JOBS),--jobs $(JOBS)) $(NAMES)

query-suites: ## answer the queries of another solver's regression tests, check what is certified, and compare (JOBS=N; tests/suites)
	@prover/install-libz3
	$(CARGO) build --release --locked -p goatherd -p goatherd-check
	$(CARGO) run --release --locked -q -p goatherd-tests --bin query-suites -- $(if $(JOBS),--jobs $(JOBS))

kernel-mutants: ## build the kernel without one condition at a time; the test vectors must notice (FIRST=N EVERY=N for a sample)
	$(CARGO) run --locked -q -p goatherd-tests --bin kernel-mutants -- $(FIRST) $(EVERY)

fuzz fuzz-bytes: COUNT ?= 1000000
fuzz fuzz-bytes: SEED ?= 0

fuzz: SUBJECT ?= any
fuzz: ## generate certificates until the kernel accepts a false one, COUNT=N of them (SEED=N SUBJECT=any, twins, choices or folds; spec/fuzzing.md)
	$(CARGO) run --release --locked -q -p goatherd-generator --bin generate-certificates -- $(COUNT) $(SEED) target/fuzz.goatherd $(SUBJECT)

fuzz-bytes: ## change bytes of generated certificates: no panic, no more memory than declared (COUNT=N SEED=N)
	$(CARGO) run --release --locked -q -p goatherd-generator --bin fuzz-bytes -- $(COUNT) $(SEED)

fuzz-holes: WHICH ?= known
fuzz-holes: COUNT ?= 2000000
fuzz-holes: SEED ?= 1
fuzz-holes: ## put holes into a copy of the kernel; the generator must find them (WHICH=known, rows, mutants, choices, twins or folds; COUNT=N SEED=N)
	$(CARGO) run --locked -q -p goatherd-tests --bin find-holes -- $(WHICH) $(COUNT) $(SEED)

NIGHTLY := +nightly
SANCOV := -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
	-Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 --cfg fuzzing

fuzz-guided: FOR ?= 600
fuzz-guided: ## the decoder and the whole check on bytes, guided by coverage, FOR=N seconds (needs a nightly toolchain and a C++ compiler)
	@mkdir -p target/fuzz/corpus
	cd tests/fuzz && RUSTFLAGS="$(SANCOV)" CARGO_TARGET_DIR=../../target/fuzz \
		$(CARGO) $(NIGHTLY) build --release --locked --target x86_64-unknown-linux-gnu
	target/fuzz/x86_64-unknown-linux-gnu/release/check -max_total_time=$(FOR) -max_len=4096 -timeout=20 -rss_limit_mb=1024 \
		-artifact_prefix=target/fuzz/ target/fuzz/corpus tests/vectors

COVERAGE := target/fuzz-coverage

fuzz-coverage: COUNT ?= 40000
fuzz-coverage: SEED ?= 1
fuzz-coverage: ## which lines of the kernel generated certificates reach (COUNT=N SEED=N; needs a nightly toolchain with llvm-tools)
	LLVM_PROFILE_FILE=$(CURDIR)/$(COVERAGE)/build-%p.profraw RUSTFLAGS="-C instrument-coverage" CARGO_TARGET_DIR=$(COVERAGE) $(CARGO) $(NIGHTLY) build --release --locked -p goatherd-generator
	LLVM_PROFILE_FILE=$(COVERAGE)/made.profraw $(COVERAGE)/release/generate-certificates $(COUNT) $(SEED)
	LLVM_PROFILE_FILE=$(COVERAGE)/bytes.profraw $(COVERAGE)/release/fuzz-bytes $(COUNT) $(SEED)
	tools=$$(dirname $$(rustc $(NIGHTLY) --print target-libdir))/bin && \
	$$tools/llvm-profdata merge -o $(COVERAGE)/all.profdata $(COVERAGE)/made.profraw $(COVERAGE)/bytes.profraw && \
	$$tools/llvm-cov report $(COVERAGE)/release/generate-certificates -object $(COVERAGE)/release/fuzz-bytes \
		-instr-profile=$(COVERAGE)/all.profdata --sources checker/src checker/claims certificates/src

soundness: RUNS ?= 10000
soundness: ## compile and audit the Coq development, and run its machine beside the interpreter (Debian: installs coq and ocaml if missing; RUNS=N)
	@spec/soundness/install-coq
	$(MAKE) -C spec/soundness
	$(CARGO) run --locked -q -p goatherd-tests --bin machine-runs -- $(RUNS) | spec/soundness/compare $(RUNS)
	$(CARGO) build --locked -q -p goatherd-check -p goatherd-tests --bin goatherd-check --bin kernel-verdicts
	spec/soundness/checker2/agree target/debug 2000 1

second-checker: COUNT ?= 100000
second-checker: SEED ?= 1
second-checker: ## run the second checker beside the kernel: vectors, certificates of the examples, changes (COUNT=N SEED=N CERTIFICATES='FILE...')
	@spec/soundness/install-coq
	$(MAKE) -C spec/soundness second
	$(CARGO) build --locked -q -p goatherd -p goatherd-check -p goatherd-tests --bin goatherd --bin goatherd-check --bin kernel-verdicts
	spec/soundness/checker2/agree target/debug $(COUNT) $(SEED) examples $(CERTIFICATES)

PREFIX ?= $(or $(CARGO_HOME),$(HOME)/.cargo)
# Where things go: `make install PREFIX=/usr/local`, or with DESTDIR to pack what would be installed.
TO = $(DESTDIR)$(PREFIX)
MANUALS = $(TO)/share/man/man1
BASH = $(TO)/share/bash-completion/completions
ZSH = $(TO)/share/zsh/site-functions
FISH = $(TO)/share/fish/vendor_completions.d

install: ## install the commands, their manual pages and completions below PREFIX (DESTDIR=DIR; installs libz3 if missing)
	@prover/install-libz3
	$(CARGO) install --locked --no-track --force --root "$(TO)" --path prover
	$(CARGO) install --locked --no-track --force --root "$(TO)" --path checker/command
	@mkdir -p "$(BASH)" "$(ZSH)" "$(FISH)"
	@set -e; for command in goatherd goatherd-check; do \
		"$(TO)/bin/$$command" manual "$(MANUALS)"; \
		"$(TO)/bin/$$command" completions bash > "$(BASH)/$$command"; \
		"$(TO)/bin/$$command" completions zsh > "$(ZSH)/_$$command"; \
		"$(TO)/bin/$$command" completions fish > "$(FISH)/$$command.fish"; \
	done

VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
DIST = target/dist/goatherd-$(VERSION).tar.gz

dist: ## pack what is committed as a release archive; the same commit gives the same bytes
	@mkdir -p target/dist
	git archive --format=tar --prefix=goatherd-$(VERSION)/ HEAD | gzip -n -9 > $(DIST).partial
	@mv $(DIST).partial $(DIST)
	@cd target/dist && sha256sum goatherd-$(VERSION).tar.gz > goatherd-$(VERSION).tar.gz.sha256 && cat goatherd-$(VERSION).tar.gz.sha256

clean: ## remove everything that was built
	$(CARGO) clean
