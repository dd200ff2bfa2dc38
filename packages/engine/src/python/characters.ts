// Characters as Python sees them: what is a letter, a digit or a space, and a character's lower and upper case. One code point
// each; if a letter has several in the other case, the first of them.

function remembered(decide: (code: number) => boolean): (code: number) => boolean {
  // 0: not asked yet, 1: no, 2: yes.
  const known = new Uint8Array(0x10000);
  return (code) => {
    if (code >= known.length) return decide(code);
    const before = known[code] ?? 0;
    if (before > 0) return before === 2;
    const is = decide(code);
    known[code] = is ? 2 : 1;
    return is;
  };
}

const matching = (pattern: RegExp) => remembered((code) => pattern.test(String.fromCodePoint(code)));

export const isWord = matching(/^[\p{L}\p{N}_]$/u);
export const isDigit = matching(/^\p{Nd}$/u);
// Including the four separators of files, groups, records and units, which JavaScript does not count.
const isWideSpace = matching(/^[\p{Zs}\u2028\u2029]$/u);
export const isSpace = (code: number) =>
  isAsciiSpace(code) || (code >= 0x1c && code <= 0x1f) || code === 0x85 || isWideSpace(code);

export const isAsciiWord = (code: number) => code < 128 && isWord(code);
export const isAsciiDigit = (code: number) => code >= 48 && code <= 57;
export const isAsciiSpace = (code: number) => code === 32 || (code >= 9 && code <= 13);

function turned(turn: (text: string) => string): (code: number) => number {
  const known = new Map<number, number>();
  return (code) => {
    let other = known.get(code);
    if (other === undefined) {
      other = turn(String.fromCodePoint(code)).codePointAt(0) ?? code;
      if (known.size < 0x10000) known.set(code, other);
    }
    return other;
  };
}

export const lowerOf = turned((text) => text.toLowerCase());
export const upperOf = turned((text) => text.toUpperCase());
export const asciiLowerOf = (code: number) => (code >= 65 && code <= 90 ? code + 32 : code);
const asciiUpperOf = (code: number) => (code >= 97 && code <= 122 ? code - 32 : code);

export const isCased = (code: number) => code !== lowerOf(code) || code !== upperOf(code);
export const isAsciiCased = (code: number) => code !== asciiLowerOf(code) || code !== asciiUpperOf(code);

// Lower-case letters that share their capital: ignoring case they are equal.
const families = [
  "iı",
  "sſ",
  "µμ",
  "\u0345\u03b9\u1fbe",
  "\u0390\u1fd3",
  "\u03b0\u1fe3",
  "βϐ",
  "εϵ",
  "θϑ",
  "κϰ",
  "πϖ",
  "ρϱ",
  "ςσ",
  "φϕ",
  "в\u1c80",
  "д\u1c81",
  "о\u1c82",
  "с\u1c83",
  "т\u1c84\u1c85",
  "ъ\u1c86",
  "ѣ\u1c87",
  "\u1c88\ua64b",
  "ṡẛ",
  "\ufb05\ufb06",
];

const relatives = new Map<number, readonly number[]>();
for (const family of families) {
  const codes = [...family].map((letter) => letter.codePointAt(0) ?? 0);
  for (const code of codes) relatives.set(code, codes);
}

// The letter itself and those that share its capital.
export function sameCapital(lower: number): readonly number[] {
  return relatives.get(lower) ?? [lower];
}
