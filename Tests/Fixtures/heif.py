"""Writes HEIF files box by box, so that make-heic, make-colors, and Tests/Fuzz/bombs can make files that no encoder writes. Needs only
Python."""
import struct


def box(name, *parts):
    content = b"".join(parts)
    return struct.pack(">I", 8 + len(content)) + name + content


def full(name, version, *parts, flags=0):
    return box(name, struct.pack(">I", version << 24 | flags), *parts)


def ispe(width, height):
    return full(b"ispe", 0, struct.pack(">II", width, height))


def nclx(primaries, transfer, matrix, full_range):
    return box(b"colr", b"nclx", struct.pack(">HHHB", primaries, transfer, matrix, full_range << 7))


def clap(width, height, x_twice, y_twice):
    """Returns a clean aperture. `x_twice` and `y_twice` are the distances of its center from the image's center, in half pixels."""
    return box(b"clap", struct.pack(">IIIIiIiI", width, 1, height, 1, x_twice, 2, y_twice, 2))


def irot(quarters):
    return box(b"irot", bytes([quarters]))


def imir(axis):
    return box(b"imir", bytes([axis]))


ALPHA = full(b"auxC", 0, b"urn:mpeg:hevc:2015:auxid:1\0")


def grid(rows, columns, width, height):
    return struct.pack(">BBBBHH", 0, 0, rows - 1, columns - 1, width & 0xFFFF, height & 0xFFFF)


class Item:
    """An image or other data in the file. `method` is the construction method, which says where the data is: 0 in mdat, 1 in idat, 2 in
    another item."""

    def __init__(self, kind, data, *properties, extents=None, method=0):
        self.kind, self.data, self.properties, self.extents, self.method = kind, data, properties, extents, method


def heif(items, references=(), primary=1, brands=(b"heic", b"mif1"), boxes=b"", before=b""):
    """Returns a file with items that are numbered from 1. Each reference is a tuple of a name, an item, and the items to which it refers.
    The boxes in `boxes` are part of meta, and those in `before` precede it. The data of the items is written one after the other, and the
    file states the place of each item's data. If an item has `extents`, the file states these places instead. Each extent is a pair: an
    offset from the beginning of all data, and a length."""
    known = []
    for item in items:
        known += [one for one in item.properties if one not in known]
    lists = b"".join(struct.pack(">HB", number, len(item.properties))
                     + b"".join(struct.pack(">H", known.index(one) + 1) for one in item.properties)
                     for number, item in enumerate(items, 1))
    infos = b"".join(full(b"infe", 2, struct.pack(">HH", number, 0), item.kind + b"\0") for number, item in enumerate(items, 1))

    def meta(start):
        locations, at = b"", 0
        for number, item in enumerate(items, 1):
            extents = item.extents if item.extents is not None else [(at, len(item.data))]
            at += len(item.data)
            locations += struct.pack(">HHHH", number, item.method, 0, len(extents))
            base = start if item.method == 0 else 0
            locations += b"".join(struct.pack(">II", base + offset, length) for offset, length in extents)
        parts = [full(b"hdlr", 0, bytes(4), b"pict", bytes(13)), full(b"pitm", 0, struct.pack(">H", primary))]
        parts += [full(b"iloc", 1, struct.pack(">HH", 0x4400, len(items)), locations)]
        parts += [full(b"iinf", 0, struct.pack(">H", len(items)), infos)]
        parts += [box(b"iprp", box(b"ipco", *known), full(b"ipma", 0, struct.pack(">I", len(items)), lists, flags=1))]
        if references:
            parts.append(full(b"iref", 0, *(box(name, struct.pack(">HH", source, len(to)), struct.pack(f">{len(to)}H", *to))
                                            for name, source, to in references)))
        return full(b"meta", 0, *parts, boxes)

    head = box(b"ftyp", brands[0], bytes(4), *brands[1:], brands[0]) + before
    data = b"".join(item.data for item in items)
    return head + meta(len(head) + len(meta(0)) + 8) + box(b"mdat", data)


def find(data, *names):
    """Returns the content of the first box with the last name, inside of the boxes with the names before it."""
    for name in names:
        at = 4 if name in (b"iinf", b"iprp", b"iloc", b"iref") else 0
        while data[at + 4:at + 8] != name:
            at += struct.unpack(">I", data[at:at + 4])[0]
        data = data[at + 8:at + struct.unpack(">I", data[at:at + 4])[0]]
    return data


def coded(data):
    """Returns the hvcC box, the ispe box, and the data of the first item of a file that libheif or this module wrote."""
    properties, at, found = find(data, b"meta", b"iprp", b"ipco"), 0, {}
    while at < len(properties):
        length, = struct.unpack(">I", properties[at:at + 4])
        found.setdefault(properties[at + 4:at + 8], properties[at:at + length])
        at += length
    locations = find(data, b"meta", b"iloc")
    if locations[4:6] == b"\x44\x40":
        base, parts, offset, length = struct.unpack(">IHII", locations[12:26])
    else:
        base, parts, offset, length = 0, *struct.unpack(">HII", locations[14:24])
    assert parts == 1
    return found[b"hvcC"], found[b"ispe"], data[base + offset:base + offset + length]


def units(configuration):
    """Returns the parameter sets of an hvcC box: VPS, SPS, and PPS."""
    found, at = [], 8 + 23
    for _ in range(configuration[8 + 22]):
        count, = struct.unpack(">H", configuration[at + 1:at + 3])
        at += 3
        for _ in range(count):
            length, = struct.unpack(">H", configuration[at:at + 2])
            found.append(configuration[at + 2:at + 2 + length])
            at += 2 + length
    return found


def with_units(configuration, sets):
    arrays = b"".join(bytes([0x80 | unit[0] >> 1 & 63]) + struct.pack(">HH", 1, len(unit)) + unit for unit in sets)
    return box(b"hvcC", configuration[8:8 + 22], bytes([len(sets)]), arrays)


def slices(data):
    """Returns the units of a picture. The length of a unit precedes the unit, and has four bytes."""
    found, at = [], 0
    while at < len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        found.append(data[at + 4:at + 4 + length])
        at += 4 + length
    return found


def joined(slices):
    return b"".join(struct.pack(">I", len(one)) + one for one in slices)


def later_slice(first, address, bits):
    """Returns a slice that begins at another address, and has no data. Its first bits mean: not the first slice, no_output_of_prior_pics is
    off, PPS 0, the address, the type I."""
    text = "001" + f"{address:0{bits}b}" + "011"
    text += "1" * (-len(text) % 8)
    return first[:2] + int(text, 2).to_bytes(len(text) // 8, "big") + b"\xff"


def golomb(value):
    text = bin(value + 1)[2:]
    return "0" * (len(text) - 1) + text


def with_size(configuration, width, height, window=(0, 0, 0, 0)):
    """Returns the hvcC box with another size, and another conformance window, in its SPS. The SPS must have only one layer."""
    sets = units(configuration)
    plain = sets[1][2:].replace(b"\0\0\3", b"\0\0")
    text = "".join(f"{byte:08b}" for byte in plain)
    at = 8 + 96

    def skip():
        nonlocal at
        zeros = 0
        while text[at] == "0":
            at, zeros = at + 1, zeros + 1
        at += 1 + zeros
        return int(text[at - zeros - 1:at], 2) - 1

    skip()
    skip()
    start = at
    skip()
    skip()
    at += 1
    if text[at - 1] == "1":
        for _ in range(4):
            skip()
    text = text[:start] + golomb(width) + golomb(height) + "1" + "".join(map(golomb, window)) + text[at:]
    text = text.rstrip("0")
    text += "0" * (-len(text) % 8)
    plain, escaped, zeros = int(text, 2).to_bytes(len(text) // 8, "big"), bytearray(sets[1][:2]), 0
    for byte in plain:
        if zeros == 2 and byte <= 3:
            escaped.append(3)
            zeros = 0
        escaped.append(byte)
        zeros = zeros + 1 if byte == 0 else 0
    return with_units(configuration, [sets[0], bytes(escaped), *sets[2:]])
