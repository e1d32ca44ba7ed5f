#include "memory.h"

#define PAGE 65536u
#define ALIGNMENT 16u

// The linker says where the heap begins.
extern uint8_t __heap_base;

static uint32_t next;

void *room(uint32_t number, uint32_t size) {
    uint64_t bytes = (uint64_t)number * size;
    uint32_t start = next ? next : (uint32_t)&__heap_base;
    start = (start + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    uint64_t end = start + bytes;
    uint64_t there = (uint64_t)__builtin_wasm_memory_size(0) * PAGE;
    if (end > there) {
        uint64_t pages = (end - there + PAGE - 1) / PAGE;
        if (pages > 65536 || __builtin_wasm_memory_grow(0, (uint32_t)pages) == UINT32_MAX)
            __builtin_trap();
    }
    next = (uint32_t)end;
    return (void *)start;
}
