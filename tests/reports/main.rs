//! Reports: where they go, what their figures mean, every format and the page of HTML.

mod figures;
mod formats;
mod html;
mod library;
mod page;
mod written;
