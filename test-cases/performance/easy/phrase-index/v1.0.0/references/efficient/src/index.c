// An index: every word becomes a number, and every number has a list of its places in the text. A phrase is looked for
// at the places of its rarest word alone.

#include "index.h"

#include <stdbool.h>

#include "memory.h"

#define UNKNOWN UINT32_MAX
#define LONGEST_QUERY 200u

// A word in the table of words: where it first stands in the text, and how often it is there.
struct word {
    uint32_t hash;
    uint32_t length;
    const uint8_t *characters;
    uint32_t count;
};

struct index {
    uint8_t lower[256];   // a character in lower case; 0 for what separates words
    uint32_t *slots;      // open addressing: the number of a word, plus one
    uint32_t mask;
    struct word *words;
    uint32_t number_of_words;
    uint32_t *places;     // the words' numbers in the order of the text
    uint32_t length;
    uint32_t *first;      // the places of word w, ascending: where[first[w]] to where[first[w + 1] - 1]
    uint32_t *where;
};

static struct index index;

static void fill_lower(void) {
    for (uint32_t c = '0'; c <= '9'; c++)
        index.lower[c] = (uint8_t)c;
    for (uint32_t c = 'a'; c <= 'z'; c++)
        index.lower[c] = index.lower[c - 'a' + 'A'] = (uint8_t)c;
}

static bool is_same(const uint8_t *one, const uint8_t *other, uint32_t length) {
    for (uint32_t i = 0; i < length; i++)
        if (index.lower[one[i]] != index.lower[other[i]])
            return false;
    return true;
}

// Finds the next word from `*at` on, and its slot in the table, which is empty for a word that is not in the text. False
// where no word is left.
static bool next_slot(const uint8_t **at, const uint8_t *end, struct word *found, uint32_t **slot) {
    const uint8_t *start = *at;
    while (start < end && !index.lower[*start])
        start++;
    if (start == end)
        return false;
    const uint8_t *stop = start;
    uint32_t hash = 0;
    for (uint8_t lower; stop < end && (lower = index.lower[*stop]); stop++)
        hash = hash * 31 + lower;
    *at = stop;
    *found = (struct word){hash, (uint32_t)(stop - start), start, 0};
    uint32_t place = (hash * 2654435769u) >> 7;
    for (;; place++) {
        *slot = &index.slots[place & index.mask];
        if (**slot == 0)
            return true;
        const struct word *there = &index.words[**slot - 1];
        if (there->hash == hash && there->length == found->length &&
            is_same(there->characters, start, found->length))
            return true;
    }
}

static void read_text(struct text text) {
    uint32_t most = text.length / 2 + 1;
    uint32_t size = 1024;  // at least twice as many slots as there can be words
    while (size < 2 * most)
        size *= 2;
    index.mask = size - 1;
    index.slots = room(size, sizeof *index.slots);
    index.words = room(most, sizeof *index.words);
    index.places = room(most, sizeof *index.places);
    const uint8_t *at = text.characters;
    const uint8_t *end = at + text.length;
    struct word word;
    uint32_t *slot;
    while (next_slot(&at, end, &word, &slot)) {
        if (*slot == 0) {
            index.words[index.number_of_words++] = word;
            *slot = index.number_of_words;
        }
        index.words[*slot - 1].count++;
        index.places[index.length++] = *slot - 1;
    }
}

static void list_places(void) {
    index.first = room(index.number_of_words + 1, sizeof *index.first);
    index.where = room(index.length, sizeof *index.where);
    uint32_t *next = room(index.number_of_words, sizeof *next);
    for (uint32_t w = 0; w < index.number_of_words; w++) {
        next[w] = index.first[w];
        index.first[w + 1] = index.first[w] + index.words[w].count;
    }
    for (uint32_t place = 0; place < index.length; place++)
        index.where[next[index.places[place]]++] = place;
}

static struct answer find(struct text query) {
    struct answer answer = {0, 0};
    uint32_t phrase[LONGEST_QUERY];
    uint32_t length = 0;
    uint32_t rarest = 0;
    const uint8_t *at = query.characters;
    const uint8_t *end = at + query.length;
    struct word word;
    uint32_t *slot;
    while (next_slot(&at, end, &word, &slot)) {
        if (*slot == 0)
            return answer;
        phrase[length] = *slot - 1;
        if (index.words[phrase[length]].count < index.words[phrase[rarest]].count)
            rarest = length;
        length++;
    }
    if (length == 0 || length > index.length)
        return answer;

    uint32_t last = index.length - length;
    for (uint32_t i = index.first[phrase[rarest]]; i < index.first[phrase[rarest] + 1]; i++) {
        if (index.where[i] < rarest)
            continue;
        uint32_t start = index.where[i] - rarest;
        if (start > last)
            break;
        uint32_t same = 0;
        while (same < length && index.places[start + same] == phrase[same])
            same++;
        if (same == length && answer.count++ == 0)
            answer.first = start;
    }
    return answer;
}

void answer_queries(struct text text, const struct text *queries, uint32_t number, struct answer *answers) {
    fill_lower();
    read_text(text);
    list_places();
    for (uint32_t i = 0; i < number; i++)
        answers[i] = find(queries[i]);
}
