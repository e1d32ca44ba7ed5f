//! Dijkstra with a binary heap: one search for all queries from one source, ended when their targets are reached.

use crate::map::{Query, Road, Route};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const FAR: Route = Route { length: u64::MAX, hops: u64::MAX };

pub fn solve(places: usize, roads: &[Road], queries: &[Query]) -> Vec<Option<Route>> {
    let network = Network::new(places, roads);
    let mut order: Vec<usize> = (0..queries.len()).collect();
    order.sort_unstable_by_key(|&index| queries[index].source);
    let mut answers = vec![None; queries.len()];
    let mut best = vec![FAR; places];
    let mut asked = vec![false; places];
    let mut start = 0;
    while start < order.len() {
        let source = queries[order[start]].source;
        let shared = order[start..].iter().take_while(|&&index| queries[index].source == source).count();
        let group = &order[start..start + shared];
        let targets = group.iter().map(|&index| queries[index].target as usize);
        search(&network, source, targets, &mut best, &mut asked);
        for &index in group {
            let found = best[queries[index].target as usize];
            answers[index] = (found != FAR).then_some(found);
        }
        start += shared;
    }
    answers
}

/// The roads in the order of where they start: those of place `p` are `roads[first[p]..first[p + 1]]`, each where it
/// leads and how long it is.
struct Network {
    first: Vec<u32>,
    roads: Vec<(u32, u64)>,
}

impl Network {
    fn new(places: usize, roads: &[Road]) -> Self {
        let mut first = vec![0u32; places + 1];
        for road in roads {
            first[road.from as usize + 1] += 1;
        }
        for place in 0..places {
            first[place + 1] += first[place];
        }
        let mut next = first.clone();
        let mut sorted = vec![(0, 0); roads.len()];
        for road in roads {
            let slot = &mut next[road.from as usize];
            sorted[*slot as usize] = (road.to, road.length);
            *slot += 1;
        }
        Network { first, roads: sorted }
    }

    fn from(&self, place: usize) -> &[(u32, u64)] {
        &self.roads[self.first[place] as usize..self.first[place + 1] as usize]
    }
}

/// Leaves the best routes from `source` in `best`: final for every target, `FAR` where there is none.
fn search(
    network: &Network,
    source: u32,
    targets: impl Iterator<Item = usize>,
    best: &mut [Route],
    asked: &mut [bool],
) {
    best.fill(FAR);
    asked.fill(false);
    let mut open = 0;
    for target in targets {
        open += usize::from(!asked[target]);
        asked[target] = true;
    }
    let start = Route { length: 0, hops: 0 };
    best[source as usize] = start;
    let mut heap = BinaryHeap::new();
    heap.push(Reverse((start, source)));
    while let Some(Reverse((route, place))) = heap.pop() {
        let place = place as usize;
        // A better route was found after this one was pushed.
        if route > best[place] {
            continue;
        }
        if asked[place] {
            asked[place] = false;
            open -= 1;
            if open == 0 {
                return;
            }
        }
        for &(next, length) in network.from(place) {
            let longer = Route { length: route.length + length, hops: route.hops + 1 };
            if longer < best[next as usize] {
                best[next as usize] = longer;
                heap.push(Reverse((longer, next)));
            }
        }
    }
}
