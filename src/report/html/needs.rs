//! What the result needs: a release, libraries, macros; and what else the summary says.

use maud::{Markup, html};

use super::prose::prose;
use crate::report::defines::{OF_C, defines, reads_cpp_in_c};
use crate::report::model::Report;
use crate::report::plural::{number, plural};
use crate::report::support::HipSupport;
use crate::report::text;

pub(super) fn section(report: &Report) -> Markup {
    let notes = text::notes(report);
    html! {
        section aria-labelledby="needs-title" {
            h2 id="needs-title" { "What the result needs" }
            div class="needs" {
                @for support in &report.hip_support { (supported(support)) }
                (release(report))
                (link(report))
                @for (folder, flags) in defines(report) {
                    div {
                        p {
                            "Code for both vendors"
                            @if !folder.is_empty() { " in " (folder) }
                            " asks for:"
                        }
                        (flag_list(&flags))
                    }
                }
                (host(report))
            }
        }
        @if !notes.is_empty() {
            section aria-labelledby="notes-title" {
                h2 id="notes-title" { "Notes" }
                ul { @for note in notes { li { (note) } } }
            }
        }
    }
}

/// What a project does for AMD already.
fn supported(support: &HipSupport) -> Markup {
    html! {
        div {
            p { b { (support.place()) } " supports AMD already; nothing that its own support covers is edited:" }
            ul { @for line in support.lines() { li { (line) } } }
        }
    }
}

fn release(report: &Report) -> Markup {
    html! {
        div {
            @match &report.rocm {
                Some(need) => {
                    p { "Lowest release: " b { "ROCm " (need.version) } }
                    p {
                        "It is the first with "
                        @for (at, name) in need.because.iter().enumerate() { @if at > 0 { ", " } code { (name) } }
                        ", as far as the tables know" (prose(text::older_release(report))) "."
                    }
                }
                None => p { "Lowest release: no name of the output asks for a certain one." },
            }
        }
    }
}

fn link(report: &Report) -> Markup {
    html! {
        div {
            @if report.link.is_empty() {
                p { "Libraries to link: none beyond the HIP runtime." }
            } @else {
                p { "Libraries to link:" }
                (flag_list(&report.link))
            }
        }
    }
}

/// A browser would break a line behind the dash of a flag.
fn flag_list(flags: &[String]) -> Markup {
    html! { pre class="link" { @for (at, flag) in flags.iter().enumerate() { @if at > 0 { " " } span { (flag) } } } }
}

fn host(report: &Report) -> Markup {
    let count = report.totals.host_files;
    html! {
        @if count > 0 {
            div { p {
                b { (number(count)) } " " (plural(count, "file")) " for the host's compiler "
                (if count == 1 { "includes" } else { "include" }) " HIP's headers: hipcc, or "
                code { "-D__HIP_PLATFORM_AMD__" } " and ROCm's " code { "-I" }
                @if reads_cpp_in_c(report) { (OF_C) } "."
            } }
        }
    }
}
