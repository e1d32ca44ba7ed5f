//! The shortest route of each query. This is the part to write.

use crate::map::{Query, Road, Route};

/// Answers the queries in their order: the shortest route with the fewest hops, or `None` where there is no route.
pub fn solve(places: usize, roads: &[Road], queries: &[Query]) -> Vec<Option<Route>> {
    // So far only the route without a road is found.
    let _ = (places, roads);
    queries
        .iter()
        .map(|query| (query.source == query.target).then_some(Route { length: 0, hops: 0 }))
        .collect()
}
