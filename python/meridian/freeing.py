"""Arrays that the program has let go of.

Freeing is collective, and Python may find out on each process at another time that nothing refers to an array. So it only
notes that. When arrays of some number or size have been made since, all processes compare their notes, in the call that
makes the next one, and free the arrays that none of them refers to. A look is at some arrays, in turn: so those that wait
to be freed are hardly ever more than those that are in use, and a few.
"""

LOOKED_AT = 63  # arrays at a time, a bit of a word each
MADE, BYTES = 32, 64 << 20  # made since the last look


class Record:
    """An array, and whether this process has let go of it."""
    __slots__ = ("handle", "gone")

    def __init__(self, handle):
        self.handle, self.gone = handle, False


class Records:
    """Of the arrays that have not been freed, in the same order on all processes.  exchange(word): the words of all
    processes; free(handle): both are collective."""

    def __init__(self, exchange, free):
        self.exchange, self.free, self.records = exchange, free, []
        self.made = self.bytes = 0

    def __len__(self):
        return len(self.records)

    def add(self, handle, size):
        """An array has been made, of so many bytes in each process.  Gives its record."""
        self.records.append(Record(handle))
        self.made, self.bytes = self.made + 1, self.bytes + size
        return self.records[-1]

    def remove(self, record):
        """The program has freed the array by itself."""
        self.records.remove(record)

    def look(self):
        """Before an array is made: free some of those that no process refers to.  Collective."""
        if self.made < MADE and self.bytes < BYTES:
            return
        self.made = self.bytes = 0
        first, self.records = self.records[:LOOKED_AT], self.records[LOOKED_AT:]
        gone = -1
        for word in self.exchange(sum(1 << i for i, record in enumerate(first) if record.gone)):
            gone &= word
        for i, record in enumerate(first):
            if gone >> i & 1:
                self.free(record.handle)
            else:
                self.records.append(record)  # at the end: others come first the next time
