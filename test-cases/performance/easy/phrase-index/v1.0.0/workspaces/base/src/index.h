// What a solution is asked, and what it answers.

#ifndef INDEX_H
#define INDEX_H

#include <stdint.h>

// `length` characters; no zero ends them.
struct text {
    const uint8_t *characters;
    uint32_t length;
};

// How often a phrase is found, and the place of its first occurrence. Where `count` is 0, `first` means nothing.
struct answer {
    uint32_t count;
    uint32_t first;
};

// Answers the query `queries[i]` in `answers[i]`, for each of the `number` queries. This is the part to write.
void answer_queries(struct text text, const struct text *queries, uint32_t number, struct answer *answers);

#endif
