"""Applies one image edit with Pillow: pillow_reference.py EDIT WIDTH HEIGHT < raw RGB > raw RGB.

Run by edits_test.cc, to hold our edits against the real library. Exit code 77: Pillow is not installed.
"""

import sys

try:
    from PIL import Image, ImageEnhance
except ImportError:
    sys.exit(77)


def turn_hue(image, shift):
    hue, saturation, value = image.convert("HSV").split()
    hue = hue.point([(byte + shift) % 256 for byte in range(256)])
    return Image.merge("HSV", (hue, saturation, value)).convert("RGB")


def mask(image):
    side = min(image.size) // 2
    masked = image.copy()
    masked.paste((128, 128, 128), (0, 0, side, side))
    return masked


EDITS = {
    "brightness_minus": lambda image: ImageEnhance.Brightness(image).enhance(0.5),
    "brightness_plus": lambda image: ImageEnhance.Brightness(image).enhance(1.5),
    "horizontal_flip": lambda image: image.transpose(Image.Transpose.FLIP_LEFT_RIGHT),
    "hue_minus": lambda image: turn_hue(image, -76),
    "hue_plus": lambda image: turn_hue(image, 76),
    "masking": mask,
    "rotation": lambda image: image.rotate(90),
    "vertical_flip": lambda image: image.transpose(Image.Transpose.FLIP_TOP_BOTTOM),
}

name, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
source = Image.frombytes("RGB", (width, height), sys.stdin.buffer.read())
sys.stdout.buffer.write(EDITS[name](source).tobytes())
