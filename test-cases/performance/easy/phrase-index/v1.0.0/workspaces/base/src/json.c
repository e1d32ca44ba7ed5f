#include "json.h"

bool skip(struct reader *reader, uint8_t wanted) {
    uint8_t *at = reader->at;
    while (at < reader->end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    bool found = at < reader->end && *at == wanted;
    reader->at = at + found;
    return found;
}

void expect(struct reader *reader, uint8_t wanted) {
    if (!skip(reader, wanted))
        __builtin_trap();
}

static uint8_t read_hexadecimal(const uint8_t *digits) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        uint8_t digit = digits[i];
        value = value * 16 + (digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10);
    }
    if (value > 127)
        __builtin_trap();
    return (uint8_t)value;
}

static uint8_t unescape(uint8_t character) {
    switch (character) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'b': return '\b';
    case 'f': return '\f';
    default: return character;
    }
}

struct text read_string(struct reader *reader) {
    expect(reader, '"');
    uint8_t *start = reader->at;
    uint8_t *at = start;
    while (*at != '"' && *at != '\\')
        at++;
    // From the first escape on, the characters move up to where they would stand without it.
    uint8_t *to = at;
    for (uint8_t character; (character = *at++) != '"';) {
        if (character == '\\') {
            character = *at++;
            if (character == 'u') {
                character = read_hexadecimal(at);
                at += 4;
            } else {
                character = unescape(character);
            }
        }
        *to++ = character;
    }
    reader->at = at;
    return (struct text){start, (uint32_t)(to - start)};
}

uint8_t *write_literal(uint8_t *to, const char *literal) {
    while (*literal)
        *to++ = (uint8_t)*literal++;
    return to;
}

uint8_t *write_number(uint8_t *to, uint32_t number) {
    uint8_t digits[10];
    int count = 0;
    do {
        digits[count++] = (uint8_t)('0' + number % 10);
        number /= 10;
    } while (number);
    while (count)
        *to++ = digits[--count];
    return to;
}
