//! The component's one function, by the canonical ABI: a string comes in, a result of two strings goes out.

mod json;
mod shop;
mod simulation;

use json::{Reader, Writer};
use shop::{Job, Outcome, Shop, Step};
use std::alloc::{alloc, handle_alloc_error, realloc, Layout};

/// Room for what the host hands in; it is never given back, as each instance serves one call.
///
/// # Safety
///
/// As the canonical ABI has it: `old` is null, or came from here with `old_size` and `align`.
#[no_mangle]
pub unsafe extern "C" fn cabi_realloc(old: *mut u8, old_size: usize, align: usize, new_size: usize) -> *mut u8 {
    if new_size == 0 {
        return align as *mut u8;
    }
    let layout = Layout::from_size_align_unchecked(new_size, align);
    let room = match old_size {
        0 => alloc(layout),
        _ => realloc(old, Layout::from_size_align_unchecked(old_size, align), new_size),
    };
    if room.is_null() {
        handle_alloc_error(layout);
    }
    room
}

/// A `result<string, string>` as it lies in memory.
#[repr(C)]
pub struct ReturnArea {
    is_error: u8,
    text: *const u8,
    length: usize,
}

/// Answers the `length` bytes of JSON at `text`.
///
/// # Safety
///
/// The host wrote them there, into room that it got from `cabi_realloc`.
#[no_mangle]
pub unsafe extern "C" fn solve(text: *const u8, length: usize) -> *const ReturnArea {
    let answer = answer(std::slice::from_raw_parts(text, length));
    let is_error = u8::from(answer.is_err());
    let text = Box::leak(answer.unwrap_or_else(|error| error.into_bytes()).into_boxed_slice());
    Box::leak(Box::new(ReturnArea { is_error, text: text.as_ptr(), length: text.len() }))
}

fn answer(input: &[u8]) -> Result<Vec<u8>, String> {
    let shop = read(&mut Reader::new(input))?;
    let outcome = simulation::run(&shop);
    Ok(write(&outcome))
}

fn read(reader: &mut Reader) -> Result<Shop, String> {
    let mut shop = Shop { ticks: 0, machines: 0, jobs: Vec::new(), steps: Vec::new() };
    reader.object(|reader, key| match key {
        b"ticks" => reader.number().map(|ticks| shop.ticks = ticks),
        b"machines" => reader.number().map(|machines| shop.machines = machines as usize),
        b"jobs" => {
            let (jobs, steps) = (&mut shop.jobs, &mut shop.steps);
            reader.array(|reader| {
                jobs.push(read_job(reader, steps)?);
                Ok(())
            })
        }
        _ => Err("unknown key".to_string()),
    })?;
    Ok(shop)
}

/// Reads `[release, priority, steps]`. The steps are added to those of the jobs before.
fn read_job(reader: &mut Reader, steps: &mut Vec<Step>) -> Result<Job, String> {
    let first = steps.len();
    reader.expect(b'[')?;
    let release = reader.number()?;
    reader.expect(b',')?;
    let priority = reader.number()? as u32;
    reader.expect(b',')?;
    reader.array(|reader| {
        reader.expect(b'[')?;
        let machine = reader.number()? as u32;
        reader.expect(b',')?;
        let duration = reader.number()?;
        reader.expect(b']')?;
        steps.push(Step { machine, duration });
        Ok(())
    })?;
    reader.expect(b']')?;
    Ok(Job { release, priority, steps: first..steps.len() })
}

fn write(outcome: &Outcome) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.raw(b"{\"finished\":");
    writer.array(&outcome.finished, |writer, finished| match finished {
        Some(tick) => writer.number(*tick),
        None => writer.raw(b"null"),
    });
    writer.raw(b",\"busy\":");
    writer.array(&outcome.busy, |writer, busy| writer.number(*busy));
    writer.raw(b",\"longest\":");
    writer.array(&outcome.longest, |writer, longest| writer.number(*longest));
    writer.raw(b"}");
    writer.finish()
}
