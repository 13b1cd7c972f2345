"""Tool-info module for BenchExec: how `goatherd prove` is run, and what its answer means.

    PYTHONPATH=examples/benchexec python3 -m benchexec.test_tool_info .goatherd_tool
    PYTHONPATH=examples/benchexec benchexec examples/benchexec/goatherd.xml
"""

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.template import UnsupportedFeatureException


class Tool(benchexec.tools.template.BaseTool2):
    """Goatherd proves C data-structure code correct for inputs of every size."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("goatherd", subdir="bin")

    def name(self):
        return "Goatherd"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="goatherd")

    def cmdline(self, executable, options, task, rlimits):
        data_model = (task.options or {}).get("data_model", "LP64") if isinstance(task.options, dict) else "LP64"
        if data_model != "LP64":
            raise UnsupportedFeatureException(f"data model {data_model}: integers and pointers are those of LP64")
        # The tool ends a little before BenchExec would end it, and says then how far it has come.
        if "--timeout" not in options and rlimits.walltime:
            options = [*options, "--timeout", str(max(1, rlimits.walltime - 1))]
        elif "--timeout" not in options and rlimits.cputime:
            options = [*options, "--timeout", str(rlimits.cputime)]
        if "--memory" not in options and rlimits.memory:
            options = [*options, "--memory", str(rlimits.memory * 9 // 10)]
        if "--threads" not in options and rlimits.cpu_cores:
            options = [*options, "--threads", str(rlimits.cpu_cores)]
        return [executable, "prove", *options, task.single_input_file]

    def determine_result(self, run):
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        if run.exit_code.signal:
            return result.RESULT_ERROR + f" (signal {run.exit_code.signal})"
        first = run.output[0].rstrip() if run.output else ""
        # The exit status is documented; the first word has to agree with it.
        return {
            (0, "proved"): result.RESULT_TRUE_PROP,
            (1, "unsafe"): result.RESULT_FALSE_REACH,
            (2, "unknown"): result.RESULT_UNKNOWN,
        }.get((run.exit_code.value, first.split(":")[0]), self._failed(run))

    @staticmethod
    def _failed(run):
        word = {3: "input", 4: "internal"}.get(run.exit_code.value, f"exit status {run.exit_code.value}")
        return f"{result.RESULT_ERROR} ({word})"

    def get_value_from_output(self, output, identifier):
        """The column `bytes`, `rules` or `checks` of the report."""
        for line in output:
            words = line.split(maxsplit=1)
            if len(words) == 2 and words[0] == identifier:
                return words[1].strip()
        return None
