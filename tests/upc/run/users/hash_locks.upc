// A hash table with one lock for each bucket; the inserting thread allocates an entry, and all count them.
//: clause 7.2.4.5 p1
#include "../../check.h"
#include <string.h>

#define BUCKETS 37
#define WORDS 120

struct entry {
    char word[12];
    int count;
    int inserted_by;
    shared struct entry *next;
};
typedef shared struct entry *entry_p;

typedef struct {
    upc_lock_t *lock;
    entry_p head;
} bucket_t;

shared bucket_t table[BUCKETS * THREADS];
shared int allocated[THREADS];

static void word_of(int k, char *to) { sprintf(to, "w%d", k * k % 61); }

static unsigned hash(const char *s) {
    unsigned h = 5381;
    while (*s)
        h = h * 33 ^ (unsigned char)*s++;
    return h;
}

static int same(entry_p e, const char *word) {
    char theirs[12];
    upc_memget(theirs, &e->word, sizeof theirs);
    return strcmp(theirs, word) == 0;
}

static void insert(const char *word) {
    shared bucket_t *b = &table[hash(word) % (BUCKETS * THREADS)];
    upc_lock(b->lock);
    entry_p e;
    for (e = b->head; e != NULL; e = e->next)
        if (same(e, word))
            break;
    if (!e) {
        e = (entry_p)upc_alloc(sizeof(struct entry));
        struct entry *mine = (struct entry *)e;
        memset(mine, 0, sizeof *mine);
        strcpy(mine->word, word);
        mine->inserted_by = MYTHREAD;
        e->next = b->head;
        b->head = e;
        allocated[MYTHREAD]++;
    }
    e->count++;
    upc_unlock(b->lock);
}

static int lookup(const char *word) {
    for (entry_p e = table[hash(word) % (BUCKETS * THREADS)].head; e; e = e->next)
        if (same(e, word)) {
            CHECK_EQ(upc_threadof(e), e->inserted_by);
            return e->count;
        }
    return 0;
}

int main(void) {
    int want[61] = {0}, distinct = 0, total = 0;
    char word[12];
    upc_forall (int b = 0; b < BUCKETS * THREADS; b++; &table[b]) {
        table[b].lock = upc_global_lock_alloc();
        table[b].head = NULL;
    }
    upc_barrier;
    for (int k = 0; k < WORDS; k++) {
        word_of(k + 7 * MYTHREAD, word);
        insert(word);
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        for (int k = 0; k < WORDS; k++)
            want[(k + 7 * t) * (k + 7 * t) % 61]++;
    for (int w = 0; w < 61; w++) {
        sprintf(word, "w%d", w);
        CHECK_EQ(lookup(word), want[w]);
        distinct += want[w] != 0;
    }
    for (int t = 0; t < THREADS; t++)
        total += allocated[t];
    CHECK_EQ(total, distinct);
    upc_barrier;
    upc_forall (int b = 0; b < BUCKETS * THREADS; b++; &table[b]) {
        for (entry_p e = table[b].head, next; e; e = next) {
            next = e->next;
            upc_free(e);
        }
        upc_lock_free(table[b].lock);
    }
    return 0;
}
