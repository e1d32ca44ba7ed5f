//! Goes from one tick at which something happens to the next, and looks at every machine and every job at each of them.

use crate::shop::{Outcome, Shop};
use std::cmp::Reverse;

#[derive(Clone, Copy)]
enum State {
    Unreleased,
    Waiting { since: u64 },
    AtWork { until: u64 },
    Done,
}

pub fn run(shop: &Shop) -> Outcome {
    let mut outcome = Outcome::idle(shop);
    let mut states = vec![State::Unreleased; shop.jobs.len()];
    let mut next_step: Vec<usize> = shop.jobs.iter().map(|job| job.steps.start).collect();
    let mut is_free = vec![true; shop.machines];
    while let Some(now) = next_tick(shop, &states).filter(|&tick| tick < shop.ticks) {
        for (job, details) in shop.jobs.iter().enumerate() {
            match states[job] {
                State::AtWork { until } if until == now => {
                    is_free[shop.steps[next_step[job]].machine as usize] = true;
                    next_step[job] += 1;
                    if next_step[job] == details.steps.end {
                        outcome.finished[job] = Some(now);
                        states[job] = State::Done;
                    } else {
                        states[job] = State::Waiting { since: now };
                    }
                }
                State::Unreleased if details.release == now => states[job] = State::Waiting { since: now },
                _ => {}
            }
        }

        // For each machine the job that it takes next, and how many wait.
        let mut first = vec![None; shop.machines];
        let mut waiting = vec![0; shop.machines];
        for (job, details) in shop.jobs.iter().enumerate() {
            if let State::Waiting { since } = states[job] {
                let machine = shop.steps[next_step[job]].machine as usize;
                let candidate = (Reverse(details.priority), since, job);
                first[machine] = Some(first[machine].map_or(candidate, |known| candidate.min(known)));
                waiting[machine] += 1;
            }
        }
        for machine in 0..shop.machines {
            if let Some((_, _, job)) = first[machine].filter(|_| is_free[machine]) {
                let until = now + shop.steps[next_step[job]].duration;
                outcome.busy[machine] += until.min(shop.ticks) - now;
                states[job] = State::AtWork { until };
                is_free[machine] = false;
                waiting[machine] -= 1;
            }
            outcome.longest[machine] = outcome.longest[machine].max(waiting[machine]);
        }
    }
    outcome
}

/// The next tick at which a job is released or a step is used up.
fn next_tick(shop: &Shop, states: &[State]) -> Option<u64> {
    let ticks = shop.jobs.iter().zip(states).filter_map(|(job, state)| match *state {
        State::Unreleased => Some(job.release),
        State::AtWork { until } => Some(until),
        State::Waiting { .. } | State::Done => None,
    });
    ticks.min()
}
