// The calling convention: the host asks `alloc` for room, writes the input there, calls `solve`, and finds the answer
// at the upper half of the result, as long as its lower half says.

#include <stdint.h>

#include "index.h"
#include "json.h"
#include "memory.h"

#define MOST_QUERIES 5000u
#define LONGEST_ANSWER 32u  // of one query, in characters, its comma included

int32_t alloc(int32_t length) {
    return (int32_t)room((uint32_t)length, 1);
}

static uint32_t read_queries(struct reader *reader, struct text *queries) {
    uint32_t number = 0;
    expect(reader, '[');
    if (skip(reader, ']'))
        return 0;
    do {
        if (number == MOST_QUERIES)
            __builtin_trap();
        queries[number++] = read_string(reader);
    } while (skip(reader, ','));
    expect(reader, ']');
    return number;
}

static uint8_t *write_answer(uint8_t *to, struct answer answer) {
    if (answer.count == 0)
        return write_literal(to, "null");
    to = write_literal(to, "[");
    to = write_number(to, answer.count);
    to = write_literal(to, ",");
    to = write_number(to, answer.first);
    return write_literal(to, "]");
}

int64_t solve(int32_t pointer, int32_t length) {
    uint8_t *input = (uint8_t *)pointer;
    struct reader reader = {input, input + (uint32_t)length};
    struct text text = {0, 0};
    struct text *queries = room(MOST_QUERIES, sizeof *queries);
    uint32_t number = 0;
    expect(&reader, '{');
    do {
        // The two keys differ in their first letter.
        struct text key = read_string(&reader);
        expect(&reader, ':');
        if (key.characters[0] == 't')
            text = read_string(&reader);
        else
            number = read_queries(&reader, queries);
    } while (skip(&reader, ','));
    expect(&reader, '}');

    struct answer *answers = room(number, sizeof *answers);
    answer_queries(text, queries, number, answers);

    uint8_t *start = room(32 + number * LONGEST_ANSWER, 1);
    uint8_t *end = write_literal(start, "{\"found\":[");
    for (uint32_t i = 0; i < number; i++) {
        if (i > 0)
            end = write_literal(end, ",");
        end = write_answer(end, answers[i]);
    }
    end = write_literal(end, "]}");
    return (int64_t)((uint64_t)(uint32_t)start << 32 | (uint32_t)(end - start));
}
