// A small JSON reader and writer, as much as the contract needs: objects with plain keys, arrays, strings of ASCII.
// The input is known to satisfy its schema, so anything else traps.

#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "index.h"

struct reader {
    uint8_t *at;
    const uint8_t *end;
};

// Whether the next character that is no white space is `wanted`, which is then passed over.
bool skip(struct reader *reader, uint8_t wanted);

// As `skip`, but traps where another character stands.
void expect(struct reader *reader, uint8_t wanted);

// A string. Its escapes are undone where it stands, so it can be read only once.
struct text read_string(struct reader *reader);

// `to` has to have room; both return where the next character goes.
uint8_t *write_literal(uint8_t *to, const char *literal);
uint8_t *write_number(uint8_t *to, uint32_t number);

#endif
