//! A small JSON reader and writer, as much as the contract needs: objects with plain keys, arrays, whole numbers.
//! The input is known to satisfy its schema, so anything else is a panic.

pub struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Reader { text, at: 0 }
    }

    /// Calls `visit` with each key of an object; `visit` has to read the value.
    pub fn object(&mut self, mut visit: impl FnMut(&mut Self, &'a [u8])) {
        self.expect(b'{');
        if self.skip(b'}') {
            return;
        }
        loop {
            let key = self.key();
            self.expect(b':');
            visit(self, key);
            if !self.skip(b',') {
                break;
            }
        }
        self.expect(b'}');
    }

    /// Calls `visit` once for each item of an array; `visit` has to read it.
    pub fn array(&mut self, mut visit: impl FnMut(&mut Self)) {
        self.expect(b'[');
        if self.skip(b']') {
            return;
        }
        loop {
            visit(self);
            if !self.skip(b',') {
                break;
            }
        }
        self.expect(b']');
    }

    /// An array of exactly `N` whole numbers.
    pub fn numbers<const N: usize>(&mut self) -> [u64; N] {
        let mut found = [0; N];
        self.expect(b'[');
        for (index, slot) in found.iter_mut().enumerate() {
            if index > 0 {
                self.expect(b',');
            }
            *slot = self.number();
        }
        self.expect(b']');
        found
    }

    /// A whole number that is not negative.
    pub fn number(&mut self) -> u64 {
        self.space();
        let start = self.at;
        let mut value = 0u64;
        while let Some(digit) = self.text.get(self.at).filter(|byte| byte.is_ascii_digit()) {
            value = value * 10 + u64::from(digit - b'0');
            self.at += 1;
        }
        assert!(self.at > start, "a whole number is due");
        value
    }

    fn key(&mut self) -> &'a [u8] {
        self.expect(b'"');
        let start = self.at;
        while self.text[self.at] != b'"' {
            self.at += 1;
        }
        self.at += 1;
        &self.text[start..self.at - 1]
    }

    fn expect(&mut self, byte: u8) {
        assert!(self.skip(byte), "unexpected character");
    }

    fn skip(&mut self, byte: u8) -> bool {
        self.space();
        let found = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn space(&mut self) {
        while matches!(self.text.get(self.at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }
}

pub struct Writer {
    text: Vec<u8>,
}

impl Writer {
    pub fn new() -> Self {
        Writer { text: Vec::new() }
    }

    pub fn raw(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
    }

    pub fn number(&mut self, mut value: u64) {
        let mut digits = [0u8; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (value % 10) as u8;
            value /= 10;
            if value == 0 {
                break;
            }
        }
        self.text.extend_from_slice(&digits[at..]);
    }

    pub fn finish(self) -> Vec<u8> {
        self.text
    }
}
