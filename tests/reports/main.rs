//! Reports: where they go, what their figures mean, every format and the page of HTML.

#[path = "../common/mod.rs"]
mod common;
mod figures;
mod formats;
mod html;
mod library;
mod page;
mod recount;
mod written;
