//! Dijkstra as it is first written down: every step scans all places for the nearest one, every query starts anew.

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
    let mut roads = vec![Vec::new(); nodes];
    for edge in edges {
        roads[edge.from as usize].push((edge.to, edge.length));
    }
    queries.iter().map(|query| route(&roads, query)).collect()
}

fn route(roads: &[Vec<(u32, u64)>], query: &Query) -> Option<Route> {
    let mut best = vec![FAR; roads.len()];
    let mut done = vec![false; roads.len()];
    best[query.source as usize] = Route { length: 0, hops: 0 };
    loop {
        let mut nearest = None;
        for place in 0..roads.len() {
            if !done[place] && best[place] != FAR && nearest.map_or(true, |other: usize| best[place] < best[other]) {
                nearest = Some(place);
            }
        }
        let place = match nearest {
            Some(place) => place,
            None => break,
        };
        done[place] = true;
        for &(next, length) in &roads[place] {
            let longer = Route { length: best[place].length + length, hops: best[place].hops + 1 };
            if longer < best[next as usize] {
                best[next as usize] = longer;
            }
        }
    }
    let found = best[query.target as usize];
    (found != FAR).then(|| found)
}
