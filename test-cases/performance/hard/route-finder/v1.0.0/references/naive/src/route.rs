//! Dijkstra as it is first written down: every step scans all places for the nearest one, every query starts anew.

use crate::map::{Query, Road, Route};

const FAR: Route = Route { length: u64::MAX, hops: u64::MAX };

pub fn solve(places: usize, roads: &[Road], queries: &[Query]) -> Vec<Option<Route>> {
    let mut leaving = vec![Vec::new(); places];
    for road in roads {
        leaving[road.from as usize].push((road.to as usize, road.length));
    }
    queries.iter().map(|query| search(&leaving, query.source as usize, query.target as usize)).collect()
}

fn search(leaving: &[Vec<(usize, u64)>], source: usize, target: usize) -> Option<Route> {
    let mut best = vec![FAR; leaving.len()];
    let mut done = vec![false; leaving.len()];
    best[source] = Route { length: 0, hops: 0 };
    loop {
        let place = (0..leaving.len()).filter(|&place| !done[place]).min_by_key(|&place| best[place])?;
        let route = best[place];
        if route == FAR {
            return None;
        }
        if place == target {
            return Some(route);
        }
        done[place] = true;
        for &(next, length) in &leaving[place] {
            let longer = Route { length: route.length + length, hops: route.hops + 1 };
            best[next] = best[next].min(longer);
        }
    }
}
