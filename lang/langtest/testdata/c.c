/* BEGIN imports */
#include <stdio.h>
#include "table.h"
/* END imports */

// A table of strings.
#define LIMIT 64
#define MAX(a, b) ((a) > (b) ? (a) : (b)) /* twice */
#define LOG(fmt, ...) \
	do { fprintf(stderr, "log: " fmt, __VA_ARGS__); } while (0)

#if defined(DEBUG) && LIMIT > 32
#  define CHECK 1
#else
#  undef CHECK
#endif

typedef unsigned long size;
typedef int (*compare)(const void *, const void *);

enum state { EMPTY, USED = 0x10, GONE = 1 << 5 };

struct slot {
	char *key;
	union { double number; long whole; } value;
	enum state state : 4;
	struct slot *next;
};

static const char *names[] = { "one", "two" "three", [3] = "four\n", NULL };
static float ratio = 1.5e-3f, half = .5;
extern volatile int shared;

// BEGIN fragment
static int find(struct slot *table, size count, const char *key, int flags)
{
	size i, hash = 5381u;
	const char *c;

	for (c = key; *c != '\0'; c++)
		hash = hash * 33 ^ (size)*c;
	for (i = 0; i < count; i++) { /* probe */
		struct slot *s = &table[(hash + i) % count];
		if (s->state == EMPTY && !(flags & 1)) {
			return -1; // not there
		} else if (s->key != NULL && strcmp(s->key, key) == 0) {
			s->value.whole += 1;
			return (int)i;
		}
	}
	return flags >= 2 ? 0 : -2;
}
// END fragment

int main(int argc, char **argv)
{
	bool found = true;
	register int n = argc - 1;
	struct slot slot = { .key = argv[0], .state = USED };

	switch (n) {
	case 0:
		goto out;
	case 1:
		n <<= 2;
		break;
	default:
		n = sizeof(struct slot) | 0777L;
	}
	do {
		if (n-- > MAX(LIMIT, 'x') || found == false)
			continue;
	} while (n);
	LOG("%d\n", find(&slot, 1, names[0], ~n));
out:
	return found ? 0 : 1;
}
