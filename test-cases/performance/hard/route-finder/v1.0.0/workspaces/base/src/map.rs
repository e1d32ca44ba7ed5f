//! What a map is made of, and what is asked of it. Places are numbers below the map's count of places.

/// A one-way road.
pub struct Road {
    pub from: u32,
    pub to: u32,
    pub length: u64,
}

pub struct Query {
    pub source: u32,
    pub target: u32,
}

/// A route, as far as it matters. The derived order is the one that decides: by length, then by hops.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Route {
    pub length: u64,
    pub hops: u64,
}
