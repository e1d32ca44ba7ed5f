//! The shortest route of each query. This is the part to write.

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

/// Answers the queries in their order: the shortest route with the fewest hops, or `None` where there is no route.
pub fn solve(nodes: usize, edges: &[Edge], queries: &[Query]) -> Vec<Option<Route>> {
    let _ = (nodes, edges);
    queries
        .iter()
        .map(|query| (query.source == query.target).then(|| Route { length: 0, hops: 0 }))
        .collect()
}
