//! The part to write.

/// How many pairs of positions hold numbers that add up to `target`.
pub fn solve(numbers: &[u64], target: u64) -> u64 {
    let _ = (numbers, target);
    0
}
