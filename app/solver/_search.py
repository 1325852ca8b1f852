# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled search: nodes, their table and their queue. It holds no lock of the interpreter while it searches.

packing.py tells what its integers mean, _search.pxd their types; _plain is its twin in plain Python, which says how
the search goes.
"""

from itertools import pairwise

import cython
from cython.cimports.app.solver._hand import (
    ALONE,
    CHOICE,
    DEAD,
    DRAW,
    GOAL,
    MOST_MOVES,
    REDEAL,
    bit_of,
    ctz,
    mixed,
    popcount,
)
from cython.cimports.app.solver._relaxed import Relaxed
from cython.cimports.app.solver._table import Table
from cython.cimports.libc.stdlib import free, malloc, realloc
from cython.cimports.libc.string import memset


@cython.cclass
class Search:
    """One search from one position. ``run`` may be called once; ``cancel`` from any thread."""

    def __dealloc__(self):
        free(self.place)
        free(self.low)
        free(self.high)
        free(self.parent)
        free(self.moves)
        free(self.bound)
        free(self.closed)
        free(self.slots)
        free(self.entry_node)
        free(self.entry_next)

    def __init__(self, packed, most_nodes: cython.uint, quick: cython.bint):
        """``packed`` is packing.Packed; ``quick`` stops at the first win, otherwise the win is a shortest one."""
        self.table, self.relaxed = Table(packed), Relaxed(packed, most_nodes)
        self.most, self.quick = most_nodes, quick
        self.goal = self.free_entry = NONE
        self.lowest = PRIORITIES
        memset(self.heads, 0xFF, cython.sizeof(self.heads))

    def cancel(self):
        """Make the search end soon, with nothing found."""
        self.stopped = self.relaxed.stopped = 1

    def run(self):
        """Search; "won", "lost", or "unknown" where the nodes or the memory ran out or it was cancelled."""
        found: cython.int
        table: Table = self.table
        relaxed: Relaxed = self.relaxed
        with cython.nogil:
            found = self._run(table, relaxed)
        if found == CHOICE:
            return "unknown"
        return "won" if found == GOAL else "lost"

    @property
    def nodes(self):
        """How many positions were looked at."""
        return self.expanded + self.relaxed.count

    def winning_line(self):
        """The moves of the win: cards (one or two numbers each), or "draw", "redeal"."""
        table: Table = self.table
        table.writing, table.written = True, 0
        table.begin()
        if self.relaxed_won:
            self._write_relaxed()
        else:
            table.advance()
            for node, child in pairwise(self._path()):
                self._write_step(table, node, child)
        return [_move(table.line[i]) for i in range(table.written)]

    def _path(self):
        """The nodes from the start to the goal."""
        path = []
        node = self.goal
        while node != NONE:
            path.append(node)
            node = self.parent[node]
        return path[::-1]

    def _write_relaxed(self):
        """Write the win of the relaxed game, with the draws and redeals that bring each stock card to the top."""
        table: Table = self.table
        i: cython.int
        code: cython.int
        where: cython.int
        for i in range(self.relaxed.written):
            code = self.relaxed.line[i]
            for card in _move(code):
                where = table.place_of_bit[bit_of(card)] - 32
                while where >= 0 and not (table.tops() >> where) & 1 and not (table.open and table.at == where):
                    table.turn()
                if where >= 0:
                    table.remove_stock(where)
            table.write(code)

    def _run(self, table, relaxed):
        """The search: GOAL, DEAD, or CHOICE where that is not known."""
        if table.unlimited or table.first_redeals > 0:
            found = relaxed.play()
            relaxed.forget()
            if found == DEAD:
                return DEAD
            if found == GOAL and self.quick and table.unlimited and table.draw == 1 and not table.goal_all:
                # Any card of the stock can be brought to the top of the waste: the relaxed game is the game.
                self.relaxed_won = True
                return GOAL
        found = table.advance()
        if found == DEAD:
            return DEAD
        if not self._grow():
            return CHOICE
        self._reach(table, NONE, 0 if found == GOAL else table.least(), found == GOAL)
        while not self.stopped and not self.full:
            if self.quick and self.goal != NONE:
                return GOAL
            node = self._dequeue()
            if node == NONE:
                return DEAD
            if node == self.goal:
                return GOAL
            self._expand(table, node)
        return CHOICE

    # The decisions.

    def _expand(self, table, node):
        """Reach what comes of each way to decide at a node."""
        self.closed[node] = 1
        self.expanded += 1
        choices = self._choices(table, node)
        for i in range(choices):
            found = self._follow(table, node, i)
            if found != DEAD:
                self._reach(table, node, 0 if found == GOAL else table.least(), found == GOAL)

    def _choices(self, table, node):
        """Choose what to decide at a node; how many ways there are to decide it."""
        writing, table.writing = table.writing, False
        self._load(table, node)
        table.advance()
        table.writing = writing
        self.king_chosen = table.king_on_top
        if self.king_chosen >= 0:
            return 2
        table.choose()
        return popcount(table.pairs_chosen) + 1

    def _follow(self, table, node, choice):
        """Put the position after a choice under the hand, moved on to the next decision."""
        pairs = table.pairs_chosen
        self._load(table, node)
        if self.king_chosen >= 0:
            if choice == 0:
                table.discard_king(self.king_chosen)
            else:
                table.kings &= ~(1 << self.king_chosen)
        elif choice < popcount(pairs):
            for _ in range(choice):
                pairs &= pairs - 1
            table.take(table.group_chosen, ctz(pairs) >> 2, ctz(pairs) & 3)
        else:
            table.allowed[table.group_chosen] &= ~pairs
        return table.advance()

    def _load(self, table, node):
        table.load(self.place[node], self.low[node], self.high[node])
        table.cost = self.moves[node]

    def _write_step(self, table, node, child):
        """Write the moves from a node to the next on the path, by making its choice again."""
        choices, before, best, fewest = self._choices(table, node), table.written, -1, 2 * MOST_MOVES
        # Two choices may lead to the same node; the shorter way is meant.
        for choice in range(choices):
            if self._follow(table, node, choice) != DEAD and self._is_at(table, child) and table.cost < fewest:
                best, fewest = choice, table.cost
            table.written = before
        self._follow(table, node, best)

    def _is_at(self, table, node):
        return (
            self.place[node] == table.key_place()
            and self.low[node] == table.key_low()
            and self.high[node] == table.key_high()
        )

    # The nodes.

    def _reach(self, table, parent, least, goal):
        """Note the position under the hand as a node, or that it was reached in fewer moves."""
        place, low, high = table.key_place(), table.key_low(), table.key_high()
        bound = table.cost + least
        if parent != NONE and bound < self.bound[parent]:
            # The bound is not consistent: a child's would be lower than its parent's at times.
            bound = self.bound[parent]
        if bound > MOST_MOVES:
            self.full = 1
            return
        node = self.slots[self._slot_of(place, low, high)]
        if node == NONE:
            if self.count >= self.room and not self._grow():
                self.full = 1
                return
            node = self.count
            self.count += 1
            self.place[node], self.low[node], self.high[node] = place, low, high
            self.slots[self._slot_of(place, low, high)] = node
        elif self.moves[node] <= table.cost or (self.quick and self.closed[node]):
            return
        self.parent[node], self.moves[node], self.bound[node], self.closed[node] = parent, table.cost, bound, 0
        if goal and (self.goal == NONE or table.cost < self.moves[self.goal]):
            self.goal = node
        self._enqueue(node, 2 * least + table.cost + popcount(table.slots) if self.quick else bound)

    def _slot_of(self, place, low, high):
        """Where in the table a node is, or belongs."""
        slot = mixed(place, low, high) & self.mask
        while True:
            node = self.slots[slot]
            if node == NONE or (self.place[node] == place and self.low[node] == low and self.high[node] == high):
                return slot
            slot = (slot + 1) & self.mask

    def _grow(self):
        """Make room for more nodes; whether there is some."""
        room = min(max(1024, 2 * self.room), self.most)
        if self.room >= room:
            return False
        broke = cython.address(self.full)
        self.place = cython.cast(cython.p_ulonglong, resized(self.place, 8 * room, broke))
        self.low = cython.cast(cython.p_ulonglong, resized(self.low, 8 * room, broke))
        self.high = cython.cast(cython.p_ulonglong, resized(self.high, 8 * room, broke))
        self.parent = cython.cast(cython.p_uint, resized(self.parent, 4 * room, broke))
        self.moves = cython.cast(cython.p_ushort, resized(self.moves, 2 * room, broke))
        self.bound = cython.cast(cython.p_ushort, resized(self.bound, 2 * room, broke))
        self.closed = cython.cast(cython.p_uchar, resized(self.closed, room, broke))
        if self.full or not self._grow_table(2 * room):
            return False
        self.room = room
        return True

    def _grow_table(self, least):
        """Make the table at least so large; whether there was memory for it."""
        size = 2048
        while size < least:
            size *= 2
        if size <= self.mask + 1:
            return True
        slots = cython.cast(cython.p_uint, malloc(4 * cython.cast(cython.size_t, size)))
        if slots == cython.NULL:
            return False
        free(self.slots)
        self.slots = slots
        memset(self.slots, 0xFF, 4 * cython.cast(cython.size_t, size))
        self.mask = size - 1
        for i in range(self.count):
            self.slots[self._slot_of(self.place[i], self.low[i], self.high[i])] = i
        return True

    # The queue: of the open nodes with the lowest priority, the youngest comes first.

    def _enqueue(self, node, priority):
        if self.free_entry != NONE:
            entry = self.free_entry
            self.free_entry = self.entry_next[entry]
        elif self.entries < self.entry_room or self._grow_queue():
            entry = self.entries
            self.entries += 1
        else:
            return
        priority = min(priority, PRIORITIES - 1)
        self.entry_node[entry] = node
        self.entry_next[entry] = self.heads[priority]
        self.heads[priority] = entry
        self.lowest = min(self.lowest, priority)

    def _grow_queue(self):
        """Make room for more entries; whether there is some."""
        room = max(1024, 2 * self.entry_room)
        broke = cython.address(self.full)
        self.entry_node = cython.cast(cython.p_uint, resized(self.entry_node, 4 * room, broke))
        self.entry_next = cython.cast(cython.p_uint, resized(self.entry_next, 4 * room, broke))
        if self.full:
            return False
        self.entry_room = room
        return True

    def _dequeue(self):
        """The open node to go on with, or NONE."""
        while self.lowest < PRIORITIES:
            entry = self.heads[self.lowest]
            if entry == NONE:
                self.lowest += 1
                continue
            node = self.entry_node[entry]
            self.heads[self.lowest] = self.entry_next[entry]
            self.entry_next[entry] = self.free_entry
            self.free_entry = entry
            if not self.closed[node]:
                return node
        return NONE


def resized(memory, size, broke):
    """The memory with room for ``size`` bytes; where there is none it stays as it is and ``broke`` is set."""
    larger: cython.p_void = realloc(memory, size)
    if larger == cython.NULL:
        broke[0] = 1
        return memory
    return larger


def _move(code: cython.int):
    """A written move: cards, or the name of what it is."""
    if code >= REDEAL:
        return "draw" if code == DRAW else "redeal"
    if code >= ALONE:
        return (code & 0xFF,)
    return (code & 0xFF, code >> 8)
