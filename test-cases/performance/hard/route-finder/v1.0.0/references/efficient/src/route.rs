//! Dijkstra with a binary heap: one search for all queries from one place, ended when their targets are reached.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub struct Edge {
    pub from: u32,
    pub to: u32,
    pub length: u64,
}

pub struct Query {
    pub source: u32,
    pub target: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Route {
    pub length: u64,
    pub hops: u64,
}

const FAR: Route = Route { length: u64::MAX, hops: u64::MAX };

pub fn solve(nodes: usize, edges: &[Edge], queries: &[Query]) -> Vec<Option<Route>> {
    let roads = Roads::new(nodes, edges);
    let mut answers = vec![None; queries.len()];
    let mut order: Vec<usize> = (0..queries.len()).collect();
    order.sort_unstable_by_key(|&index| queries[index].source);
    let mut best = vec![FAR; nodes];
    let mut asked = vec![false; nodes];
    let mut start = 0;
    while start < order.len() {
        let source = queries[order[start]].source;
        let end = start + order[start..].iter().take_while(|&&index| queries[index].source == source).count();
        let group = &order[start..end];
        search(&roads, source, group.iter().map(|&index| queries[index].target), &mut best, &mut asked);
        for &index in group {
            let found = best[queries[index].target as usize];
            answers[index] = (found != FAR).then(|| found);
        }
        start = end;
    }
    answers
}

/// The roads, sorted by where they start: those of place `p` are `first[p]..first[p + 1]`.
struct Roads {
    first: Vec<u32>,
    roads: Vec<(u32, u64)>,
}

impl Roads {
    fn new(nodes: usize, edges: &[Edge]) -> Self {
        let mut first = vec![0u32; nodes + 1];
        for edge in edges {
            first[edge.from as usize + 1] += 1;
        }
        for place in 0..nodes {
            first[place + 1] += first[place];
        }
        let mut next = first.clone();
        let mut roads = vec![(0, 0); edges.len()];
        for edge in edges {
            let slot = &mut next[edge.from as usize];
            roads[*slot as usize] = (edge.to, edge.length);
            *slot += 1;
        }
        Roads { first, roads }
    }
}

fn search(roads: &Roads, source: u32, targets: impl Iterator<Item = u32>, best: &mut [Route], asked: &mut [bool]) {
    best.fill(FAR);
    asked.fill(false);
    let mut open = 0;
    for target in targets {
        open += usize::from(!asked[target as usize]);
        asked[target as usize] = true;
    }
    let mut heap = BinaryHeap::new();
    best[source as usize] = Route { length: 0, hops: 0 };
    heap.push(Reverse((Route { length: 0, hops: 0 }, source)));
    while let Some(Reverse((route, place))) = heap.pop() {
        if route > best[place as usize] {
            continue;
        }
        if asked[place as usize] {
            asked[place as usize] = false;
            open -= 1;
            if open == 0 {
                return;
            }
        }
        let (from, to) = (roads.first[place as usize] as usize, roads.first[place as usize + 1] as usize);
        for &(next, length) in &roads.roads[from..to] {
            let longer = Route { length: route.length + length, hops: route.hops + 1 };
            if longer < best[next as usize] {
                best[next as usize] = longer;
                heap.push(Reverse((longer, next)));
            }
        }
    }
}
