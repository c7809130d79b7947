"""Writes the pictures beside it: two sources, and what Pillow makes of them in other sizes.

Run with Pillow 10 or later: python3 make.py. Names are SOURCE-FILTER-WIDTHxHEIGHT.png; "part" is of the box below.
"""
import math
import os
from PIL import Image

WIDTH, HEIGHT = 96, 72
PART = (10.5, 6.25, 82.5, 60.25)
here = os.path.dirname(os.path.abspath(__file__))


def level(value):
    return max(0, min(255, round(value)))


def photo(x, y):
    """Slopes, waves of several lengths, a hard-edged disc and a little noise."""
    noise = ((x * 7919 + y * 104729 + x * y * 31) % 23) - 11
    inside = math.hypot(x - 60, y - 30) < 18
    red = 40 + 1.6 * x + 30 * math.sin(x / 3.0) + noise
    green = 200 - 1.5 * y + 25 * math.cos((x + 2 * y) / 5.0) + noise
    blue = 120 + 60 * math.sin(math.hypot(x, y) / 4.0) - noise
    if inside:
        red, green, blue = 230 - red / 4, 60 + green / 4, 40 + blue / 4
    return level(red), level(green), level(blue)


opaque = Image.new("RGBA", (WIDTH, HEIGHT))
cut = Image.new("RGBA", (WIDTH, HEIGHT))
for y in range(HEIGHT):
    for x in range(WIDTH):
        alpha = level(255 * (34 - math.hypot(x - 48, y - 36)) / 8)
        opaque.putpixel((x, y), photo(x, y) + (255,))
        # What cannot be seen is loud, to be heard if it bleeds.
        cut.putpixel((x, y), (photo(x, y) if alpha else (0, 255, 0)) + (alpha,))

for name, source in (("opaque", opaque), ("cut", cut)):
    source.save(os.path.join(here, f"{name}.png"))
    for filter_name, kernel, size in (
        ("lanczos", Image.LANCZOS, (40, 30)),
        ("lanczos", Image.LANCZOS, (13, 50)),
        ("bicubic", Image.BICUBIC, (150, 100)),
    ):
        target = f"{name}-{filter_name}-{size[0]}x{size[1]}.png"
        source.resize(size, kernel).save(os.path.join(here, target), optimize=True)
    source.resize((36, 27), Image.LANCZOS, box=PART).save(os.path.join(here, f"{name}-part-36x27.png"), optimize=True)
