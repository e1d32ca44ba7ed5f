// Memory is taken from the end of the heap and never given back, as each instance serves one call.

#ifndef MEMORY_H
#define MEMORY_H

#include <stdint.h>

// Room for `number` items of `size` bytes each, all zero. Traps where the memory may not grow any more.
void *room(uint32_t number, uint32_t size);

#endif
