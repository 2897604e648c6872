//! Facts about programs, as tables that a person can review.
#![forbid(unsafe_code)]

pub mod carriers;
