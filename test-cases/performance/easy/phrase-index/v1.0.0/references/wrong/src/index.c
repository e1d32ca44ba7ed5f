// A mistake that is easy to make: after an occurrence the search goes on behind it, so that occurrences that share a
// word are missed.

#include "index.h"

#include <stdbool.h>

#include "memory.h"

struct words {
    struct text *list;
    uint32_t number;
};

static uint8_t lower(uint8_t character) {
    return character >= 'A' && character <= 'Z' ? character + 32 : character;
}

static bool is_in_word(uint8_t character) {
    return (character >= '0' && character <= '9') || (lower(character) >= 'a' && lower(character) <= 'z');
}

static struct words split(struct text text) {
    struct words words = {room(text.length / 2 + 1, sizeof(struct text)), 0};
    uint32_t at = 0;
    for (;;) {
        while (at < text.length && !is_in_word(text.characters[at]))
            at++;
        if (at == text.length)
            return words;
        uint32_t start = at;
        while (at < text.length && is_in_word(text.characters[at]))
            at++;
        words.list[words.number++] = (struct text){text.characters + start, at - start};
    }
}

static bool is_same(struct text one, struct text other) {
    if (one.length != other.length)
        return false;
    for (uint32_t i = 0; i < one.length; i++)
        if (lower(one.characters[i]) != lower(other.characters[i]))
            return false;
    return true;
}

static bool stands_at(struct words words, uint32_t place, struct words phrase) {
    for (uint32_t i = 0; i < phrase.number; i++)
        if (!is_same(words.list[place + i], phrase.list[i]))
            return false;
    return true;
}

void answer_queries(struct text text, const struct text *queries, uint32_t number, struct answer *answers) {
    struct words words = split(text);
    for (uint32_t i = 0; i < number; i++) {
        struct words phrase = split(queries[i]);
        answers[i].count = 0;
        if (phrase.number == 0)
            continue;
        uint32_t place = 0;
        while (place + phrase.number <= words.number) {
            if (!stands_at(words, place, phrase)) {
                place++;
                continue;
            }
            if (answers[i].count++ == 0)
                answers[i].first = place;
            place += phrase.number;
        }
    }
}
