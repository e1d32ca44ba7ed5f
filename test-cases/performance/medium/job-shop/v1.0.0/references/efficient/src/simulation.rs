//! Goes from event to event: a heap of the machines that are at work, by when they are done, and for each machine a heap
//! of the jobs that wait for it, by which is taken first.

use crate::shop::{Outcome, Shop};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub fn run(shop: &Shop) -> Outcome {
    let mut outcome = Outcome::idle(shop);
    let mut by_release: Vec<(u64, usize)> =
        shop.jobs.iter().enumerate().map(|(job, details)| (details.release, job)).collect();
    by_release.sort_unstable();
    let mut releases = by_release.into_iter().peekable();
    let mut floor = Floor {
        shop,
        waiting: vec![BinaryHeap::new(); shop.machines],
        next_step: shop.jobs.iter().map(|job| job.steps.start).collect(),
        touched: Vec::new(),
    };
    let mut working: Vec<Option<usize>> = vec![None; shop.machines];
    let mut ends: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
    loop {
        let next_end = ends.peek().map(|&Reverse((tick, _))| tick);
        let next_release = releases.peek().map(|&(tick, _)| tick);
        let now = match next_end.into_iter().chain(next_release).min() {
            Some(tick) if tick < shop.ticks => tick,
            _ => return outcome,
        };

        while let Some(&Reverse((_, machine))) = ends.peek().filter(|Reverse((tick, _))| *tick == now) {
            ends.pop();
            if let Some(job) = working[machine].take() {
                floor.next_step[job] += 1;
                if floor.next_step[job] == shop.jobs[job].steps.end {
                    outcome.finished[job] = Some(now);
                } else {
                    floor.arrive(job, now);
                }
            }
            floor.touched.push(machine);
        }
        while let Some((_, job)) = releases.next_if(|&(tick, _)| tick == now) {
            floor.arrive(job, now);
        }

        // A machine may be listed twice; the second time there is nothing left to do.
        while let Some(machine) = floor.touched.pop() {
            if working[machine].is_none() {
                if let Some(Reverse(key)) = floor.waiting[machine].pop() {
                    let job = job_of(key);
                    let end = now + shop.steps[floor.next_step[job]].duration;
                    outcome.busy[machine] += end.min(shop.ticks) - now;
                    working[machine] = Some(job);
                    ends.push(Reverse((end, machine)));
                }
            }
            outcome.longest[machine] = outcome.longest[machine].max(floor.waiting[machine].len() as u64);
        }
    }
}

/// The jobs on their way through the shop.
struct Floor<'a> {
    shop: &'a Shop,
    /// For each machine the keys of the jobs that wait for it.
    waiting: Vec<BinaryHeap<Reverse<u64>>>,
    /// For each job where its next step lies among those of the shop.
    next_step: Vec<usize>,
    /// The machines at which something changed in this tick.
    touched: Vec<usize>,
}

impl Floor<'_> {
    fn arrive(&mut self, job: usize, now: u64) {
        let machine = self.shop.steps[self.next_step[job]].machine as usize;
        self.waiting[machine].push(Reverse(key(self.shop.jobs[job].priority, now, job)));
        self.touched.push(machine);
    }
}

const JOB_BITS: u32 = 13;
const TICK_BITS: u32 = 40;
const HIGHEST_PRIORITY: u32 = 1000;

/// One number that orders waiting jobs by priority, the highest first, then by arrival, then by number. The bounds of the
/// problem make all three fit in 63 bits.
fn key(priority: u32, arrival: u64, job: usize) -> u64 {
    (u64::from(HIGHEST_PRIORITY - priority) << TICK_BITS | arrival) << JOB_BITS | job as u64
}

fn job_of(key: u64) -> usize {
    (key & ((1 << JOB_BITS) - 1)) as usize
}
