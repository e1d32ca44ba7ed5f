// The occurrences of each query's phrase. This is the part to write.

#include "index.h"

void answer_queries(struct text text, const struct text *queries, uint32_t number, struct answer *answers) {
    // So far nothing is found, which is right only where there is nothing.
    (void)text;
    (void)queries;
    for (uint32_t i = 0; i < number; i++)
        answers[i].count = 0;
}
