//! The calling convention: the host asks `alloc` for room, writes the input there, calls `solve`, and finds the answer
//! at the upper half of the result, as long as its lower half says.

mod json;
mod map;
mod route;

use json::{Reader, Writer};
use map::{Query, Road};

/// Room for `len` bytes of input; it is never given back, as each instance serves one call.
#[no_mangle]
pub extern "C" fn alloc(len: i32) -> i32 {
    let mut room = Vec::<u8>::with_capacity(len as usize);
    let start = room.as_mut_ptr();
    std::mem::forget(room);
    start as i32
}

/// Answers the `len` bytes of JSON at `ptr`.
///
/// # Safety
///
/// `ptr` and `len` are what the host got from `alloc` and wrote.
#[no_mangle]
pub unsafe extern "C" fn solve(ptr: i32, len: i32) -> i64 {
    let input = std::slice::from_raw_parts(ptr as *const u8, len as usize);
    let answer = answer(input).into_boxed_slice();
    let (start, length) = (answer.as_ptr() as u32, answer.len() as u32);
    std::mem::forget(answer);
    ((start as u64) << 32 | length as u64) as i64
}

fn answer(input: &[u8]) -> Vec<u8> {
    let mut places = 0;
    let mut roads = Vec::new();
    let mut queries = Vec::new();
    let mut reader = Reader::new(input);
    reader.object(|reader, key| match key {
        b"places" => places = reader.number() as usize,
        b"roads" => reader.array(|reader| {
            let [from, to, length] = reader.numbers();
            roads.push(Road { from: from as u32, to: to as u32, length });
        }),
        b"queries" => reader.array(|reader| {
            let [source, target] = reader.numbers();
            queries.push(Query { source: source as u32, target: target as u32 });
        }),
        _ => panic!("unknown key"),
    });

    let routes = route::solve(places, &roads, &queries);

    let mut writer = Writer::new();
    writer.raw(b"{\"routes\":[");
    for (index, found) in routes.iter().enumerate() {
        if index > 0 {
            writer.raw(b",");
        }
        match found {
            Some(route) => {
                writer.raw(b"[");
                writer.number(route.length);
                writer.raw(b",");
                writer.number(route.hops);
                writer.raw(b"]");
            }
            None => writer.raw(b"null"),
        }
    }
    writer.raw(b"]}");
    writer.finish()
}
