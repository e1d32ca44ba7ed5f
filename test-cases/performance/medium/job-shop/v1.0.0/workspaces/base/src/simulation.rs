//! The course of the simulation. This is the part to write.

use crate::shop::{Outcome, Shop};

pub fn run(shop: &Shop) -> Outcome {
    // So far nothing happens, which is right only where there is nothing to do.
    Outcome::idle(shop)
}
