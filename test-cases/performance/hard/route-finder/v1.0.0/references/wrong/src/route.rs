//! A mistake that is easy to make: every road is taken to lead both ways.

use crate::map::{Query, Road, Route};

pub fn solve(places: usize, roads: &[Road], queries: &[Query]) -> Vec<Option<Route>> {
    queries.iter().map(|query| best_routes(places, roads, query.source)[query.target as usize]).collect()
}

/// The best route from `source` to each place, by going through all roads until nothing gets better.
fn best_routes(places: usize, roads: &[Road], source: u32) -> Vec<Option<Route>> {
    let mut best = vec![None; places];
    best[source as usize] = Some(Route { length: 0, hops: 0 });
    let mut changed = true;
    while changed {
        changed = false;
        for road in roads {
            for (from, to) in [(road.from, road.to), (road.to, road.from)] {
                let longer = match best[from as usize] {
                    Some(Route { length, hops }) => Route { length: length + road.length, hops: hops + 1 },
                    None => continue,
                };
                if best[to as usize].map_or(true, |known| longer < known) {
                    best[to as usize] = Some(longer);
                    changed = true;
                }
            }
        }
    }
    best
}
