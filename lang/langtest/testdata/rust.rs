// BEGIN imports
use std::collections::HashMap;
use std::fmt::{self, Display};
extern crate alloc;
// END imports

//! A cache with a limit.
/* Values leave /* in the order */ they came. */

const LIMIT: usize = 0xff + 0b11 + 0o17;
static RATIO: f64 = 1_000.5e-3;

/// One value.
#[derive(Debug, Clone)]
pub struct Entry<'a, T: Display> {
    name: &'a str,
    value: Option<T>,
    pub(crate) hits: u64,
}

pub enum State { Empty, Used(i32), Gone { at: u8 } }

pub trait Store<K> {
    type Output;
    fn get(&mut self, key: &K) -> Option<&Self::Output>;
    fn len(&self) -> usize { 0 }
}

// BEGIN fragment
fn collect(entries: &[Entry<String>], names: &mut Vec<String>, limit: usize) -> Result<u64, String> {
    let mut total = 0;
    for (i, entry) in entries.iter().enumerate() {
        if i >= limit || entry.name.is_empty() {
            return Err(format!("entry {} of {}", i, limit));
        }
        match &entry.value {
            Some(v) if v.len() > 3 => names.push(v.clone()),
            Some(_) => continue, // too short
            None => total += entry.hits * 2,
        }
        while names.len() > limit && total != 0 {
            names.pop();
            total -= 1;
        }
    }
    Ok(total)
}
// END fragment

impl<'a, T: Display> Display for Entry<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.hits as f32 / 2.0)
    }
}

macro_rules! twice {
    ($e:expr) => { $e; $e };
}

pub async unsafe fn main(args: [u8; 4]) -> bool {
    let raw = r#"raw "text""#;
    let bytes = b"bytes\n";
    let c = 'x';
    let add = |a: i64, b| -> i64 { a + b & !1 };
    let map: HashMap<&str, Box<dyn Fn(i64) -> i64>> = HashMap::new();
    'outer: loop {
        if let State::Gone { at: 1..=3 } = crate::state(raw)? {
            break 'outer;
        } else {
            twice!(add(1, -2) << 3);
        }
    }
    let t = (bytes.len() == 7, c >= 'a', super::run(map).await);
    t.0 ^ t.1 | false || true
}
