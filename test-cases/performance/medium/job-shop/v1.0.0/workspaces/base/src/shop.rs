//! What a workshop is made of, and what becomes of it. Machines and jobs are numbered from 0.

use std::ops::Range;

/// One step of a job: it keeps `machine` busy for `duration` ticks.
pub struct Step {
    pub machine: u32,
    pub duration: u64,
}

pub struct Job {
    pub release: u64,
    pub priority: u32,
    /// Where the job's steps lie among those of the shop.
    pub steps: Range<usize>,
}

pub struct Shop {
    pub ticks: u64,
    pub machines: usize,
    pub jobs: Vec<Job>,
    /// The steps of all jobs, one job after another.
    pub steps: Vec<Step>,
}

pub struct Outcome {
    /// For each job the tick at which it was finished, or `None` where it was not.
    pub finished: Vec<Option<u64>>,
    /// For each machine the number of ticks in which it worked.
    pub busy: Vec<u64>,
    /// For each machine the most jobs that were waiting for it at the end of a tick.
    pub longest: Vec<u64>,
}

impl Outcome {
    /// What becomes of a shop in which nothing happens.
    pub fn idle(shop: &Shop) -> Self {
        Outcome {
            finished: vec![None; shop.jobs.len()],
            busy: vec![0; shop.machines],
            longest: vec![0; shop.machines],
        }
    }
}
