//! What other tools say, as tables have it (`spec/reports.md#comparisons`).

use csv::{ReaderBuilder, StringRecord};
use std::collections::BTreeMap;

/// Verdicts of tools.
#[derive(Debug)]
pub struct Results {
    /// The tools, in the order of the table.
    pub tools: Vec<String>,
    /// The programs, by name.
    pub programs: Vec<Program>,
    /// What all names may begin with, besides what is written there: a folder.
    pub base: Option<String>,
}

/// What is said of one program.
#[derive(Debug)]
pub struct Program {
    /// Its name in the table.
    pub file: String,
    /// What each tool says, if it says something.
    pub said: Vec<Option<Said>>,
}

/// What a tool says of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said {
    /// Its words.
    pub words: String,
    /// What they mean, if that is a verdict.
    pub claim: Option<Claim>,
}

/// What may be true of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Claim {
    /// No run fails.
    Safe,
    /// A run fails.
    Unsafe,
}

/// Titles of the column that names programs.
const FILE: [&str; 3] = ["file", "task", "program"];

impl Said {
    fn new(words: &str) -> Option<Self> {
        let words = words.trim();
        // As in `false(unreach-call)`, `TRUE (k-induction)`.
        let verdict = words.split('(').next().unwrap_or_default().trim().to_lowercase();
        let claim = match verdict.as_str() {
            "true" | "safe" | "proved" | "successful" | "verification successful" => Some(Claim::Safe),
            "false" | "unsafe" | "refuted" | "violated" | "verification failed" => Some(Claim::Unsafe),
            _ => None,
        };
        (!words.is_empty()).then(|| Self { words: words.to_owned(), claim })
    }
}

/// Reads a table; an error names its line.
pub fn read(text: &str) -> Result<Results, String> {
    let first = text.lines().next().unwrap_or_default();
    let delimiter = if first.contains('\t') { b'\t' } else { b',' };
    let mut reader = ReaderBuilder::new().has_headers(false).delimiter(delimiter).from_reader(text.as_bytes());
    let rows: Vec<StringRecord> = reader.records().collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    let Some((head, below)) = rows.split_first() else { return Err("it is empty".to_owned()) };
    let mut table = Table::default();
    match below {
        [sets, titles, below @ ..] if head.get(0) == Some("tool") && sets.get(0) == Some("run set") => {
            table.read_benchexec([head, sets, titles], below)?;
            let base = titles.get(0).filter(|base| !is_title(base, &FILE) && !base.is_empty()).map(ToOwned::to_owned);
            Ok(table.finish(base))
        }
        _ => {
            table.read_plain(head, below)?;
            Ok(table.finish(None))
        }
    }
}

fn is_title(cell: &str, titles: &[&str]) -> bool {
    titles.contains(&cell.trim().to_lowercase().as_str())
}

/// What has been read so far.
#[derive(Default)]
struct Table {
    tools: Vec<String>,
    /// By program and tool: what is said, and in which line.
    said: BTreeMap<String, BTreeMap<usize, (Said, u64)>>,
}

impl Table {
    fn tool(&mut self, name: &str) -> usize {
        let known = self.tools.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.tools.push(name.to_owned());
            self.tools.len() - 1
        })
    }

    /// A column for each tool, or one that names the tool and one with its verdict.
    fn read_plain(&mut self, head: &StringRecord, rows: &[StringRecord]) -> Result<(), String> {
        let column = |titles: &[&str]| head.iter().position(|cell| is_title(cell, titles));
        let Some(file) = column(&FILE) else {
            return Err("the first line names no column `file` (nor `task`, nor `program`), and it is no table of BenchExec".to_owned());
        };
        let columns: Vec<(usize, Option<usize>)> = match (column(&["tool"]), column(&["verdict"])) {
            (Some(tool), Some(verdict)) => vec![(verdict, Some(tool))],
            (Some(_), None) => return Err("the first line names a column `tool`, and none `verdict`".to_owned()),
            (None, _) => (0..head.len()).filter(|column| *column != file).map(|column| (column, None)).collect(),
        };
        for row in rows {
            for (verdict, tool) in &columns {
                let tool = tool.map_or_else(|| head.get(*verdict), |tool| row.get(tool)).unwrap_or_default().trim();
                let tool = self.tool(if tool.is_empty() { "?" } else { tool });
                self.add(row, file, *verdict, tool)?;
            }
        }
        Ok(())
    }

    /// Three lines of titles: the tool, what its runs are called, and what the column has. Before the tools are columns that name the task.
    fn read_benchexec(&mut self, [tools, sets, titles]: [&StringRecord; 3], rows: &[StringRecord]) -> Result<(), String> {
        let file = titles.iter().position(|cell| is_title(cell, &FILE)).unwrap_or(0);
        let columns: Vec<usize> = (0..titles.len()).filter(|column| titles.get(*column) == Some("status")).collect();
        if columns.is_empty() {
            return Err("its third line names no column `status`".to_owned());
        }
        let name = |column: usize| {
            let [tool, set] = [tools, sets].map(|row| row.get(column).unwrap_or_default().trim());
            if set.is_empty() { tool.to_owned() } else { format!("{tool} ({set})") }
        };
        for (number, column) in columns.iter().enumerate() {
            // Runs of one tool may be called alike.
            let same = columns.iter().take(number).filter(|other| name(**other) == name(*column)).count();
            let tool = if same == 0 { name(*column) } else { format!("{} [{}]", name(*column), same + 1) };
            let tool = self.tool(&tool);
            for row in rows {
                self.add(row, file, *column, tool)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, row: &StringRecord, file: usize, verdict: usize, tool: usize) -> Result<(), String> {
        let line = row.position().map_or(0, csv::Position::line);
        let name = row.get(file).unwrap_or_default().trim();
        if name.is_empty() {
            return Err(format!("line {line} names no program"));
        }
        let of_program = self.said.entry(name.to_owned()).or_default();
        let Some(said) = Said::new(row.get(verdict).unwrap_or_default()) else { return Ok(()) };
        match of_program.insert(tool, (said.clone(), line)) {
            Some((before, above)) if before != said => {
                let tool = &self.tools[tool];
                Err(format!("lines {above} and {line} give two verdicts of {tool} on {name}; compare one property at a time"))
            }
            _ => Ok(()),
        }
    }

    fn finish(self, base: Option<String>) -> Results {
        let Self { tools, said } = self;
        let of_all =
            |mut said: BTreeMap<usize, (Said, u64)>| (0..tools.len()).map(|tool| said.remove(&tool).map(|(said, _)| said)).collect();
        let programs = said.into_iter().map(|(file, said)| Program { file, said: of_all(said) }).collect();
        Results { tools, programs, base }
    }
}

#[cfg(test)]
mod tests {
    use super::{Claim, read};

    /// A program, with the verdicts on it in the order of tools.
    type Verdicts = (String, Vec<Option<Claim>>);

    fn verdicts(text: &str) -> (Vec<String>, Vec<Verdicts>) {
        let results = read(text).expect("a table");
        let claims =
            |program: super::Program| (program.file, program.said.into_iter().map(|said| said.and_then(|said| said.claim)).collect());
        (results.tools, results.programs.into_iter().map(claims).collect())
    }

    #[test]
    fn tables_have_a_column_for_each_tool_or_for_all() {
        let expected = (
            vec!["A".to_owned(), "B".to_owned()],
            vec![("x.c".to_owned(), vec![Some(Claim::Safe), None]), ("y, z.c".to_owned(), vec![Some(Claim::Unsafe), Some(Claim::Safe)])],
        );
        assert_eq!(verdicts("file,A,B\n\"y, z.c\",FALSE(reach),true\nx.c,Verification Successful,timeout\n"), expected);
        let long = "tool\tfile\tverdict\nA\ty, z.c\tunsafe\nB\tx.c\tunknown\nA\tx.c\tsafe\nB\ty, z.c\tproved\n";
        assert_eq!(verdicts(long), expected);
    }

    #[test]
    fn tables_of_benchexec_name_tasks_tools_and_columns() {
        let text = "tool\t\tT 1\tT 1\tT 1\tT 1\nrun set\t\ta\ta\tb\tb\nin/\t\tstatus\tcputime (s)\tstatus\tcputime (s)\nx.yml\tp\ttrue\t0.1\tfalse(p)\t2\ny.yml\tp\t\t\tERROR\t1\n";
        let (tools, programs) = verdicts(text);
        assert_eq!(tools, ["T 1 (a)", "T 1 (b)"]);
        assert_eq!(programs[0], ("x.yml".to_owned(), vec![Some(Claim::Safe), Some(Claim::Unsafe)]));
        assert_eq!(programs[1], ("y.yml".to_owned(), vec![None, None]));
        assert_eq!(read(text).expect("a table").base.as_deref(), Some("in/"));
        let titled = "tool\t\t\tT\nrun set\t\t\t\nexpected verdict\ttask\tchecked property\tstatus\n\tx.c\tp\ttrue\n";
        assert_eq!(verdicts(titled).1, [("x.c".to_owned(), vec![Some(Claim::Safe)])]);
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for (text, reason) in [
            ("", "it is empty"),
            ("name,A\nx.c,true\n", "names no column `file`"),
            ("file,tool\nx.c,A\n", "none `verdict`"),
            ("file,A\n,true\n", "line 2 names no program"),
            ("file,A\nx.c,true\ny.c\n", "line: 3"),
            ("file,A\n\"x.c,true\ny.c,true\n", "line: 2"),
            ("file,A\nx.c,true\nx.c,false\n", "lines 2 and 3 give two verdicts of A on x.c"),
            ("tool\tT\nrun set\t\nin/\tcputime\nx.c\t1\n", "names no column `status`"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(reason), "{error}");
        }
    }
}
