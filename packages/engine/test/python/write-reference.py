"""Writes reference.json: what Python itself answers to generated patterns, templates, texts and numbers.

    python3 packages/engine/test/python/write-reference.py [cases] [seed]

The tests of the engine compare its own answers with this file; Python is not needed for them. Only the standard library is
used, and no character that is younger than Unicode 14.
"""
import json
import os
import random
import re
import sys
import unicodedata
import warnings

warnings.simplefilter("ignore")

cases = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 7
draw = random.Random(seed)

LETTERS = list("aabbcAB01_ -\n.,x") + ["é", "É", "ß", "ſ", "K", "σ", "ς", "Σ", "İ", "ı", "я", "Я", "漢", "٣", "²", "😀", "\x1c", "\u2028", "𐐀", "𐐨"]
ATOMS = ["a", "b", "c", "A", "0", "_", " ", ".", r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", r"\b", r"\B", "^", "$", r"\A", r"\Z",
         "[ab]", "[^a]", "[a-c]", r"[\w-]", r"[^\s\d]", "[]a]", "[^]]", "[a-]", r"[\]\-b]", "é", "ß", "σ", "😀", "[é-я]", "[😀-😂a]",
         r"\.", r"\x61", r"\u00e9", r"\n", r"\t", r"\060", r"\141", "[0-9]", "[A-Z]", "İ", "i", "s", "[s-u]", "k", "[^K]", "𐐨", "я"]
QUANTIFIERS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{,2}", "{1,}", "{,}", "{0,1}?", "{2,3}?", "*+", "{1,2}+", "{", "{a}"]


def some_text():
    return "".join(draw.choice(LETTERS) for _ in range(draw.randint(0, 9)))


def some_pattern(depth, groups):
    parts = []
    for _ in range(draw.choice([0, 1, 1, 2, 2, 3])):
        roll = draw.random()
        if depth > 0 and roll < 0.30:
            kind = draw.choice(["(", "(", "(?:", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?P<n%d>" % draw.randint(0, 99), "(?i:", "(?-i:", "(?s-m:", "(?x: ", "(?>", "(?a:"])
            if kind == "(" or kind.startswith("(?P"):
                groups.append(kind)
            atom = kind + some_pattern(depth - 1, groups) + ")"
        elif roll < 0.34 and groups:
            atom = draw.choice([r"\1", r"\2", "(?(1)a|b)", "(?(1)b)"])
        else:
            atom = draw.choice(ATOMS)
        if draw.random() < 0.35:
            atom += draw.choice(QUANTIFIERS)
        parts.append(atom)
    pattern = "".join(parts)
    if depth > 0 and draw.random() < 0.25:
        pattern += "|" + some_pattern(depth - 1, groups)
    return pattern


def broken(pattern):
    """A pattern with one character too many, too few or another."""
    if not pattern:
        return "("
    at = draw.randrange(len(pattern))
    return pattern[:at] + draw.choice(["", "(", ")", "[", "]", "{", "*", "\\", "?", "|", "(?", "\\q", "\\8"]) + pattern[at + draw.randint(0, 1):]


TEMPLATES = ["", "x", r"\1", r"[\g<0>]", r"\g<1>-", r"\2", r"\n\t\\", r"\061", r"\141", r"\q", r"\g<n1>", r"\10", "$1&", r"\.", "é", r"\g<", r"\0", r"\g<-1>"]
FLAGS = [0, re.I, re.M, re.S, re.I | re.M | re.S]


def answer(pattern, flags, text, template):
    try:
        compiled = re.compile(pattern, flags)
    except (re.error, OverflowError, RecursionError):
        return None
    found = []
    for match in compiled.finditer(text):
        found.append([match.start(), match.end()] + [list(match.span(group)) if match.span(group) != (-1, -1) else 0 for group in range(1, compiled.groups + 1)])
    try:
        replaced = compiled.sub(template, text)
    except (re.error, IndexError):
        replaced = None
    return [found, replaced]


def regexes():
    out = []
    while len(out) < cases:
        pattern = some_pattern(3, [])
        if draw.random() < 0.1:
            pattern = draw.choice(["(?i)", "(?m)", "(?x) ", "(?s)", "(?a)", "(?iu)", "(?L)"]) + pattern
        if draw.random() < 0.1:
            pattern = broken(pattern)
        if len(pattern) > 60:
            continue
        flags = draw.choice(FLAGS)
        text = some_text()
        template = draw.choice(TEMPLATES)
        out.append([pattern, int(flags), text, template, answer(pattern, flags, text, template)])
    return out


WRITTEN = [
    [r"(a+)+$", 0, "aaaaaaaaaaaaaaaaaaaa", ""], [r"(?x) a \  b # end", 0, "a b", "-"], [r"a{,3}", 0, "aaaa", "x"],
    [r"(a)|b", 0, "ab", r"[\1]"], [r"(?P<word>\w+)", 0, "été ça", r"<\g<word>>"], [r"\p{L}", 0, "a", ""], [r"x*", 0, "axb", "-"],
    [r"(?:|a)*", 0, "aaa", "-"], [r"(a|)*", 0, "b", r"[\1]"], [r"(?=(\w))\w", 0, "ab", r"\1\1"], [r"(a)(?(1)b|c)", 0, "ab", "x"],
    [r"(?<=ab)c", 0, "abc", "x"], [r"(?<=a*)b", 0, "ab", "x"], [r"\N{EM DASH}", 0, "—", "x"], [r"(?i)ß", 0, "ẞSS", "x"],
]


def written():
    # \N{…} is the one thing that the engine refuses and Python takes; it is compared with nothing.
    return [row + [answer(row[0], row[1], row[2], row[3])] for row in WRITTEN if r"\N" not in row[0]]


def cases_of_texts():
    singles = [chr(code) for code in range(0x250) if code != 0x19B] + list("ǄǅǆǱǲǳŉǰΐΰևßẞﬀﬁﬂﬃﬄﬅﬆﬓᾀᾈᾲᾳᾴᾷῂῃῇῲῳῷაჰᲐⓐⅷ𐐀𐐨")
    rows = []
    words = ["they're 2nd", "straße", "ΟΔΟΣ ΟΔΟΣ.", "Σ", "ΑΣ Β", "hello World", "ǆ ﬁn ŉ", "İstanbul ISTANBUL", "x'Σ", "", " \x1c\u2028a\ufeff\x85 ", "\ta\u200b"]
    for _ in range(200):
        words.append(some_text())
    for text in singles + words:
        row = [text, text.upper(), text.lower(), text.capitalize(), text.title(), text.strip(), text.lstrip(), text.rstrip(), text.replace("", "-"), text.replace("a", "bb")]
        rows.append([row[0]] + [0 if value == text else value for value in row[1:]])
    return rows


def floats():
    values = [0.0, -0.0, 1.0, 3.0, -2.5, 0.1, 1e16, 9999999999999998.0, 123456789012345680.0, 1e-4, 1e-5, 1.5e-7, 1e22, 1e100, 5e-324, 1.7976931348623157e308, 1 / 3, 100.0, 1e15]
    for _ in range(200):
        values.append(draw.choice([1, -1]) * draw.random() * 10.0 ** draw.randint(-12, 20))
    return [[value.hex(), repr(value)] for value in values]


reference = {
    "python": sys.version.split()[0],
    "unicode": unicodedata.unidata_version,
    "seed": seed,
    "regexes": written() + regexes(),
    "texts": cases_of_texts(),
    "floats": floats(),
}
path = os.environ.get("REFERENCE", os.path.join(os.path.dirname(os.path.abspath(__file__)), "reference.json"))
with open(path, "w") as file:
    file.write("{\n")
    for index, (name, value) in enumerate(reference.items()):
        file.write(",\n" if index else "")
        if isinstance(value, list):
            rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in value)
            file.write("%s: [\n%s\n]" % (json.dumps(name), rows))
        else:
            file.write("%s: %s" % (json.dumps(name), json.dumps(value)))
    file.write("\n}\n")
