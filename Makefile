.DEFAULT_GOAL := help
.PHONY: help demo test bench bench-automata bench-trees bench-paths bench-scale deny corpus bench-corpus kernel-mutants soundness install clean

CARGO ?= cargo

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## prove and check an example, reject a tampered certificate, show a counterexample (installs libz3 if missing)
	@prover/install-libz3
	$(CARGO) build --release --locked -p goatherd -p goatherd-check
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

kernel-mutants: ## build the kernel without one condition at a time; the test vectors must notice (FIRST=N EVERY=N for a sample)
	$(CARGO) run --locked -q -p goatherd-tests --bin kernel-mutants -- $(FIRST) $(EVERY)

soundness: RUNS ?= 10000
soundness: ## compile and audit the Coq development, and run its machine beside the interpreter (Debian: installs coq and ocaml if missing; RUNS=N)
	@spec/soundness/install-coq
	$(MAKE) -C spec/soundness
	$(CARGO) run --locked -q -p goatherd-tests --bin machine-runs -- $(RUNS) | spec/soundness/compare $(RUNS)

install: ## install the commands goatherd and goatherd-check (installs libz3 if missing)
	@prover/install-libz3
	$(CARGO) install --locked --path prover
	$(CARGO) install --locked --path checker/command

clean: ## remove everything that was built
	$(CARGO) clean
