# SPDX-License-Identifier: GPL-2.0
#
# Records to compare the texts of: random bytes, but with valid locations, and often
# with small numbers.

import random

from event_format import c, record
from event_format.show import split, strip_casts, walk

RECORDS = 20
# The least that random_record() puts into a list, in bytes.
LIST = 8


def addresses(event):
    """Returns the names of the fields that are socket addresses."""
    try:
        pieces, args, _ = split(event.print_fmt)
    except c.Untranslatable:
        return set()
    args, names = iter(args), set()
    for piece in pieces:
        if not isinstance(piece, str):
            shown = [next(args) for _ in range(1 + (piece.width == "*") + (piece.precision == "*"))]
            if piece.extension.startswith("IS"):
                names |= {node.name for node in walk(shown) if isinstance(node, (c.Field, c.Name))}
    return names


def random_address(size, rng):
    """Returns a struct sockaddr_in or, if it fits in, a struct sockaddr_in6."""
    family = rng.choice([2, 10]) if size >= 28 else 2
    return family.to_bytes(2, "little") + rng.randbytes(size - 2)


def random_record(event, sockaddrs, rng):
    """Returns a record of random bytes that has the event's dynamic data."""
    end = max((this.offset + this.size for this in event.fields), default=8)
    data = bytearray(rng.randbytes(end))
    data[0:8] = bytes(8)
    for this in event.fields:
        place = slice(this.offset, this.offset + this.size)
        choice = rng.random()
        if this.declaration.startswith(("__data_loc", "__rel_loc")):
            while len(data) % 8:
                data.append(0)
            content = bytes(rng.choice(b"abcdefghijklmnop") for _ in range(rng.randrange(12)))
            if this.name in sockaddrs:
                content = random_address(28, rng)
            elif this.kind == "string":
                content += b"\0"
            else:
                content = rng.randbytes(LIST * rng.randrange(1, 4))
                if "cpumask" in this.declaration or this.kind == "mask":
                    content = rng.randbytes(LIST)
            start = len(data) - (this.offset + 4 if this.rel else 0)
            data[place] = (len(content) << 16 | start).to_bytes(4, "little")
            data += content
        elif this.name in sockaddrs and this.size >= 16:
            data[place] = random_address(this.size, rng)
        elif this.kind == "array" and this.chars:
            content = bytes(rng.choice(b"abcdefghijklmnop") for _ in range(rng.randrange(this.size)))
            data[place] = content.ljust(this.size, b"\0")
        elif this.kind == "int" and this.declaration.startswith(("bool ", "_Bool ")):
            # C's functions trust that, too.
            data[place] = bytes([rng.randrange(2)])
        elif this.kind == "int" and choice < 0.5:
            # Small numbers: what tables and conditions are about.
            small = rng.choice([0, 1, 2, 3, 4, 8, 16, 32, 64, 100])
            data[place] = small.to_bytes(this.size, "little")
        elif this.kind == "int" and choice < 0.6:
            data[place] = bytes([255]) * this.size
    return bytes(data)


def random_records(case):
    """Returns the records of an event, which are the same in each run."""
    (event,) = record.read(case.text.encode(), case.system, case.name)
    rng = random.Random(f"{case.system}:{case.name}")
    sockaddrs = addresses(event)
    return [random_record(event, sockaddrs, rng) for _ in range(RECORDS)]


def lengths(event):
    """Returns the fields that say how much of another one is shown, and how large they may be."""
    bounds = {}

    def bound(length, data, size=1):
        data = next((node for node in walk([data]) if isinstance(node, c.Field)), None)
        sizes = [this.size for this in event.fields if data and this.name == data.name]
        most = min([LIST, *sizes]) // size if isinstance(strip_casts(length), c.Field) else 1
        for node in walk([length]):
            if isinstance(node, c.Field):
                bounds[node.name] = min(most, bounds.get(node.name, most))

    pieces, args, _ = split(event.print_fmt)
    for node in walk(args):
        match node:
            case c.Call("__print_hex" | "__print_hex_str", (data, length)):
                bound(length, data)
            case c.Call("__print_array", (data, length, c.Number(size))):
                bound(length, data, size)
            case c.Call("__print_array", (data, length, _)):
                bound(length, data, LIST)
            case c.Call("__print_hex_dump", (_, _, _, _, data, length, _)):
                bound(length, data)
    args = iter(args)
    for piece in pieces:
        if not isinstance(piece, str):
            stars = [next(args) for star in (piece.width, piece.precision) if star == "*"]
            data = next(args)
            for star in stars:
                bound(star, data)
    return bounds


def bounded_records(case):
    """Returns the same records, but none says that more of a field is shown than there is."""
    (event,) = record.read(case.text.encode(), case.system, case.name)
    bounds = lengths(event)
    rng = random.Random(f"{case.system}:{case.name}")
    records = [bytearray(data) for data in random_records(case)]
    for data in records:
        for this in event.fields:
            if this.name in bounds and this.kind == "int":
                value = rng.randrange(bounds[this.name] + 1)
                data[this.offset : this.offset + this.size] = value.to_bytes(this.size, "little")
    return [bytes(data) for data in records]
