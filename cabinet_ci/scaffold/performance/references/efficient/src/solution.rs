//! Sort once, then walk from both ends.

pub fn solve(numbers: &[u64], target: u64) -> u64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let mut pairs = 0;
    let (mut low, mut high) = (0, sorted.len());
    while low + 1 < high {
        let (left, right) = (sorted[low], sorted[high - 1]);
        if left + right < target {
            low += 1;
        } else if left + right > target {
            high -= 1;
        } else if left == right {
            let equal = (high - low) as u64;
            return pairs + equal * (equal - 1) / 2;
        } else {
            let lows = sorted[low..high].iter().take_while(|&&number| number == left).count();
            let highs = sorted[low..high].iter().rev().take_while(|&&number| number == right).count();
            pairs += (lows * highs) as u64;
            low += lows;
            high -= highs;
        }
    }
    pairs
}
