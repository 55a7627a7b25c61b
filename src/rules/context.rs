//! What a rule may look at, and where it reports.

use std::cell::OnceCell;
use std::ops::Deref;

use crate::analysis::build_unit::BuildUnit;
use crate::analysis::python_unit::PythonUnit;
use crate::analysis::unit::Unit;
use crate::diagnostic::{Finding, Severity};
use crate::edit::Edit;
use crate::python::Strings;
use crate::syntax::{Directive, Include, LaunchSite, TokenIndex, flags};

/// Looks at an identifier.
pub type NameCheck = fn(TokenIndex, &mut Context<'_, '_>);
/// Looks at a launch.
pub type LaunchCheck = fn(&LaunchSite, &mut Context<'_, '_>);
/// Looks at an include.
pub type IncludeCheck = fn(&Include, &mut Context<'_, '_>);
/// Looks at a directive.
pub type DirectiveCheck = fn(&Directive, &mut Context<'_, '_>);
/// Looks at a whole file of C++.
pub type SourceCheck = fn(&mut Context<'_, '_>);
/// Looks at a whole build file.
pub type BuildFileCheck = fn(&mut BuildContext<'_, '_>);
/// Looks at a whole file of Python.
pub type PythonCheck = fn(&mut PythonContext<'_, '_>);

/// What a rule may look at while it checks one file (a [`Unit`]), and where it reports.
pub struct Context<'d, 's> {
    pub(crate) unit: Unit<'d, 's>,
    /// What says what the tables know of a name.
    pub(crate) tables: &'d [NameCheck],
    pub(crate) findings: Vec<Finding>,
}

impl<'d, 's> Deref for Context<'d, 's> {
    type Target = Unit<'d, 's>;

    fn deref(&self) -> &Self::Target {
        &self.unit
    }
}

impl<'d, 's> Context<'d, 's> {
    /// Reports a finding. One in code that is guarded for one vendor is dropped: that code is left alone.
    pub fn report(&mut self, mut finding: Finding) {
        let at = finding.range.start;
        if self.doc.vendor_at(at) == crate::syntax::Vendor::Any && !self.is_inactive(at) {
            end_lines(&mut finding, self.doc.newline());
            self.keep_directives(&mut finding);
            self.findings.push(finding);
        }
    }

    /// Leaves a fix to a person that would take a directive away together with code around it: no rule means that.
    fn keep_directives(&self, finding: &mut Finding) {
        let crosses = |edit: &Edit| {
            let spans_lines = memchr::memchr(b'\n', self.doc.source.slice(edit.range)).is_some();
            spans_lines && {
                let tokens = self.doc.token_at(edit.range.start)..self.doc.token_at(edit.range.end);
                let in_directive =
                    |index: &TokenIndex| self.doc.tokens[*index].has(flags::DIRECTIVE);
                tokens.clone().any(|index| in_directive(&index))
                    && !tokens.clone().all(|index| in_directive(&index))
            }
        };
        if finding
            .fix
            .as_ref()
            .is_some_and(|fix| fix.edits.iter().any(crosses))
        {
            finding.fix = None;
            finding.severity = finding.severity.max(Severity::Warning);
        }
    }

    /// Whether a rule is switched off at a byte by a comment: hands off, findings and edits alike.
    pub(crate) fn is_off(&self, offset: u32, code: &str) -> bool {
        self.switches.is_off(offset, code)
    }

    /// A place to insert something, moved in front of what is switched off for the rule.
    pub(super) fn outside_off(&self, offset: u32, code: &str) -> u32 {
        self.switches.outside(self.doc, offset, code)
    }

    /// Reports what the tables say of the name at a place; for rules that own a name and have nothing to add here.
    pub(crate) fn ask_tables(&mut self, index: TokenIndex) {
        let tables = self.tables;
        tables.iter().for_each(|check| check(index, self));
    }
}

/// What a rule may look at while it checks one build file (a `BuildUnit`), and where it reports.
pub struct BuildContext<'d, 's> {
    pub(crate) unit: BuildUnit<'d, 's>,
    pub(crate) findings: Vec<Finding>,
}

impl<'d, 's> Deref for BuildContext<'d, 's> {
    type Target = BuildUnit<'d, 's>;

    fn deref(&self) -> &Self::Target {
        &self.unit
    }
}

impl BuildContext<'_, '_> {
    /// Reports a finding.
    pub fn report(&mut self, mut finding: Finding) {
        end_lines(&mut finding, self.doc.newline());
        self.findings.push(finding);
    }
}

/// What a rule may look at while it checks one script of Python (a `PythonUnit`), and where it reports.
pub struct PythonContext<'d, 's> {
    pub(crate) unit: PythonUnit<'d, 's>,
    /// The line end of the file.
    pub(crate) newline: &'static str,
    pub(crate) strings: OnceCell<Strings<'d>>,
    pub(crate) findings: Vec<Finding>,
}

impl<'d, 's> Deref for PythonContext<'d, 's> {
    type Target = PythonUnit<'d, 's>;

    fn deref(&self) -> &Self::Target {
        &self.unit
    }
}

impl<'d, 's: 'd> PythonContext<'d, 's> {
    /// What the script binds and calls, found once for all rules.
    pub(crate) fn strings(&self) -> &Strings<'d> {
        let file: &'d crate::python::PyFile<'d> = self.unit.file();
        self.strings.get_or_init(|| Strings::new(file))
    }

    /// Reports a finding.
    pub fn report(&mut self, mut finding: Finding) {
        end_lines(&mut finding, self.newline);
        self.findings.push(finding);
    }
}

/// Gives the new lines of a fix the line ends of the file, so that no rule has to think of them. A fix whose text was read from bytes that
/// are not UTF-8 is left to a person: it could not write them back.
fn end_lines(finding: &mut Finding, newline: &'static str) {
    let is_lossy = |edit: &Edit| edit.content.contains(char::REPLACEMENT_CHARACTER);
    if finding
        .fix
        .as_ref()
        .is_some_and(|fix| fix.edits.iter().any(is_lossy))
    {
        finding.fix = None;
        finding.severity = finding.severity.max(Severity::Warning);
    }
    if newline != "\n" {
        let edits = finding.fix.iter_mut().flat_map(|fix| &mut fix.edits);
        edits.for_each(|edit| edit.end_lines(newline));
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Severity;
    use crate::engine::{Session, translate};
    use crate::mapping::ApiTable;
    use crate::options::Options;
    use crate::text::SourceFile;

    #[test]
    fn bytes_that_are_no_utf_8_stay() {
        let session = Session::new(Options::default(), ApiTable::builtin());
        let text = b"#define ARCH (__CUDA_ARCH__ + sizeof(\"pr\xfcfen\"))\nint after;\n";
        let source = SourceFile::new("a.cu", text.to_vec());
        let outcome = translate(&source, &session);
        assert!(outcome.output.is_none_or(|output| output == text));
        let told = outcome
            .findings
            .iter()
            .any(|it| it.finding().severity >= Severity::Warning);
        assert!(told, "a person has to write what no fix can");
    }
}
