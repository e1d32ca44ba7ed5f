//! Try every pair.

pub fn solve(numbers: &[u64], target: u64) -> u64 {
    let mut pairs = 0;
    for (index, first) in numbers.iter().enumerate() {
        for second in &numbers[index + 1..] {
            if first + second == target {
                pairs += 1;
            }
        }
    }
    pairs
}
