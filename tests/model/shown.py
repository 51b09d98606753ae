"""Read numbers back from text written for people, with the last digit's worth."""

import re
from decimal import Decimal

THIN_SPACE = "\u202f"
SUPERSCRIPTS = str.maketrans(
    "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "-0123456789"
)
PREFIXES = {"": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18, "Z": 21}


def read(text):
    """(value, unit of the last digit) of 1,234.5, 48.2 GFLOP, 0.143 % or 4.8x10^-4 %."""
    number, _, unit = text.partition(THIN_SPACE)
    mantissa, _, power = number.partition("\u00d710")
    mantissa = Decimal(mantissa.replace(",", ""))
    scale = int(power.translate(SUPERSCRIPTS)) if power else 0
    if unit == "%":
        scale -= 2
    elif unit:
        scale += PREFIXES[unit[0] if unit[0] in PREFIXES else ""]
    last = Decimal(1).scaleb(mantissa.as_tuple().exponent + scale)
    return float(mantissa.scaleb(scale)), float(last)


def agrees(text, value):
    """Whether a text shows a value, rounded to the text's last digit."""
    shown, last = read(text)
    return abs(shown - value) <= last * (0.5 + 1e-6)


def significant_digits(text):
    """How many digits a number shows from its first that is not zero."""
    digits = re.sub(r"\D", "", text.partition(THIN_SPACE)[0].partition("\u00d7")[0])
    return len(digits.lstrip("0"))
