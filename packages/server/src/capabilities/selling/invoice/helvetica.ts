// Text in the two faces that every PDF reader brings: how wide it is, and its bytes in the encoding that they share (Windows-1252).
// Letters outside it lose their marks, and what has no letter there becomes a question mark; the JSON of an invoice has the exact
// spelling.

export type Face = "plain" | "bold";

// Thousandths of the size, from the space to the tilde.
const widths: Readonly<Record<Face, readonly number[]>> = {
  plain: [
    ...[278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278],
    ...[556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556],
    ...[1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778],
    ...[667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556],
    ...[333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556],
    ...[556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584],
  ],
  bold: [
    ...[278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278],
    ...[556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611],
    ...[975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778],
    ...[667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556],
    ...[333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611],
    ...[611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584],
  ],
};

// 0x80 to 0x9f; a dot where there is nothing.
const upper = "€.‚ƒ„…†‡ˆ‰Š‹Œ.Ž..‘’“”•–—˜™š›œ.žŸ";
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ł: "l", Ł: "L", đ: "d", Đ: "D", ı: "i", ħ: "h", Ħ: "H", ŧ: "t", Ŧ: "T", ŋ: "n", Ŋ: "N", "\u2212": "-" },
  ...{ "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\t": " ", "\n": " " },
};

export function encodeText(text: string): Buffer {
  return Buffer.from([...text.normalize("NFC")].flatMap(codesOf));
}

function codesOf(character: string): number[] {
  const known = codeOf(character);
  if (known !== null) return [known];
  const bare = character.normalize("NFD").replace(/\p{M}/gu, "");
  const codes = [...(plainLetters[character] ?? bare)].map(codeOf);
  return codes.length > 0 && codes.every((code) => code !== null) ? codes.filter((code) => code !== null) : [0x3f];
}

function codeOf(character: string): number | null {
  const point = character.codePointAt(0) ?? 0;
  if ((point >= 0x20 && point <= 0x7e) || (point >= 0xa1 && point <= 0xff)) return point;
  const at = character === "." ? -1 : upper.indexOf(character);
  return at < 0 ? null : 0x80 + at;
}

// In points.
export function widthOf(text: string, size: number, face: Face): number {
  let sum = 0;
  for (const character of text) {
    const base = character.normalize("NFD").codePointAt(0) ?? 0;
    // Figures, most lower-case letters and the euro have this width; so much is exact enough for the rest.
    sum += widths[face][base - 0x20] ?? 556;
  }
  return (sum * size) / 1000;
}

// Breaks at blanks; a word that is too long alone is cut.
export function linesOf(text: string, size: number, width: number, face: Face = "plain"): string[] {
  const lines: string[] = [];
  let line = "";
  const fits = (candidate: string) => widthOf(candidate, size, face) <= width;
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    const candidate = line === "" ? word : `${line} ${word}`;
    if (fits(candidate)) {
      line = candidate;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (!fits(line)) {
      let length = line.length;
      while (length > 1 && !fits(line.slice(0, length))) length -= 1;
      lines.push(line.slice(0, length));
      line = line.slice(length);
    }
  }
  return line === "" ? lines : [...lines, line];
}
