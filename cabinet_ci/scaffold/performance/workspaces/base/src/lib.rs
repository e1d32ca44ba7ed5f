//! The calling convention, and as much JSON as the contract needs: the host asks `alloc` for room, writes the input
//! there, calls `solve`, and finds the answer at the upper half of the result, as long as its lower half says.

mod solution;

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
    let (numbers, target) = read(input);
    let answer = format!("{{\"pairs\":{}}}", solution::solve(&numbers, target)).into_bytes().into_boxed_slice();
    let (start, length) = (answer.as_ptr() as u32, answer.len() as u32);
    std::mem::forget(answer);
    ((start as u64) << 32 | length as u64) as i64
}

/// The numbers of the array, and the one number outside it. The input is known to satisfy its schema.
fn read(input: &[u8]) -> (Vec<u64>, u64) {
    let (mut numbers, mut target, mut inside) = (Vec::new(), 0, false);
    let mut at = 0;
    while at < input.len() {
        match input[at] {
            b'[' => inside = true,
            b']' => inside = false,
            b'0'..=b'9' => {
                let mut value = 0u64;
                while at < input.len() && input[at].is_ascii_digit() {
                    value = value * 10 + u64::from(input[at] - b'0');
                    at += 1;
                }
                if inside {
                    numbers.push(value);
                } else {
                    target = value;
                }
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    (numbers, target)
}
