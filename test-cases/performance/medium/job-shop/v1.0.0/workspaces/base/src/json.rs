//! A small JSON reader and writer, as much as the contract needs: objects with plain keys, arrays, whole numbers.

pub struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Reader { text, at: 0 }
    }

    /// Calls `visit` with each key of an object; `visit` has to read the value.
    pub fn object(&mut self, mut visit: impl FnMut(&mut Self, &'a [u8]) -> Result<(), String>) -> Result<(), String> {
        self.expect(b'{')?;
        if self.skip(b'}') {
            return Ok(());
        }
        loop {
            let key = self.key()?;
            self.expect(b':')?;
            visit(self, key)?;
            if !self.skip(b',') {
                return self.expect(b'}');
            }
        }
    }

    /// Calls `visit` once for each item of an array; `visit` has to read it.
    pub fn array(&mut self, mut visit: impl FnMut(&mut Self) -> Result<(), String>) -> Result<(), String> {
        self.expect(b'[')?;
        if self.skip(b']') {
            return Ok(());
        }
        loop {
            visit(self)?;
            if !self.skip(b',') {
                return self.expect(b']');
            }
        }
    }

    /// A whole number that is not negative.
    pub fn number(&mut self) -> Result<u64, String> {
        self.space();
        let start = self.at;
        let mut value = 0u64;
        while let Some(digit) = self.text.get(self.at).filter(|byte| byte.is_ascii_digit()) {
            value = value * 10 + u64::from(digit - b'0');
            self.at += 1;
        }
        if self.at == start {
            return Err(format!("a whole number is due at byte {start}"));
        }
        Ok(value)
    }

    pub fn expect(&mut self, byte: u8) -> Result<(), String> {
        if self.skip(byte) {
            return Ok(());
        }
        Err(format!("`{}` is due at byte {}", byte as char, self.at))
    }

    fn key(&mut self) -> Result<&'a [u8], String> {
        self.expect(b'"')?;
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest.iter().position(|&byte| byte == b'"').ok_or("a key has no end")?;
        self.at = start + length + 1;
        Ok(&rest[..length])
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

    pub fn array<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.raw(b"[");
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.raw(b",");
            }
            write(self, item);
        }
        self.raw(b"]");
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
