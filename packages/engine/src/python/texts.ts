// Text functions as in Python: upper case, title case, trimming, replacing, formatting numbers.
import { isSpace } from "./characters.ts";

const cased = /^\p{Cased}$/u;
const caseIgnorable = /^\p{Case_Ignorable}$/u;

// Letters that are two in one have a form for the start of a word.
const titleForms = new Map<string, string>([
  ...[..."ǄǅǆǇǈǉǊǋǌ"].map((letter, index): [string, string] => [letter, [..."ǅǈǋ"][Math.floor(index / 3)] ?? letter]),
  ...[..."Ǳǲǳ"].map((letter): [string, string] => [letter, "ǲ"]),
]);
const iotaBelow = "\u0345";

// The form of one character at the start of a word.
function titled(letter: string): string {
  const known = titleForms.get(letter);
  if (known !== undefined) return known;
  // Georgian has capitals for whole texts only.
  if (/^[\u10d0-\u10ff]$/.test(letter)) return letter;
  const parts = letter.normalize("NFD");
  if (parts.length > 1 && parts.includes(iotaBelow)) {
    const above = parts.replaceAll(iotaBelow, "").toUpperCase().normalize("NFC");
    const whole = `${above}${iotaBelow}`.normalize("NFC");
    return whole.length === 1 ? whole : above + iotaBelow;
  }
  const [first = "", ...rest] = letter.toUpperCase();
  if (rest.length === 0) return first;
  // Ligatures: one capital, the others lower case. If the first is a mark, the letter after it is the capital.
  return cased.test(first) ? first + rest.join("").toLowerCase() : first + rest.join("");
}

// The lower case of the character at `index`; sigma has another form at the end of a word.
function loweredAt(letters: readonly string[], index: number): string {
  const letter = letters[index] ?? "";
  if (letter !== "Σ") return letter.toLowerCase();
  let [before, after] = [index - 1, index + 1];
  while (before >= 0 && caseIgnorable.test(letters[before] ?? "")) before -= 1;
  while (after < letters.length && caseIgnorable.test(letters[after] ?? "")) after += 1;
  const isFinal = cased.test(letters[before] ?? "") && !cased.test(letters[after] ?? "");
  return isFinal ? "ς" : "σ";
}

export function titleCase(text: string): string {
  const letters = [...text];
  let wasCased = false;
  let out = "";
  for (const [index, letter] of letters.entries()) {
    out += wasCased ? loweredAt(letters, index) : titled(letter);
    wasCased = cased.test(letter);
  }
  return out;
}

export function capitalized(text: string): string {
  const letters = [...text];
  return letters.map((letter, index) => (index === 0 ? titled(letter) : loweredAt(letters, index))).join("");
}

export function trimmed(text: string, ends: "both" | "left" | "right"): string {
  let [start, end] = [0, text.length];
  // Every space is one unit.
  while (ends !== "right" && start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (ends !== "left" && end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

// An empty search string matches before every character and at the end.
export function replaced(text: string, find: string, by: string): string {
  if (find !== "") return text.split(find).join(by);
  return `${by}${[...text].map((letter) => letter + by).join("")}`;
}

// The shortest digits that give the same number, with a point or an exponent.
export function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0.0";
  const [digits = "0", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (value !== 0 && (exponent < -4 || exponent >= 16)) {
    const sign = exponent < 0 ? "-" : "+";
    return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  const plain = exponent < 0 ? value.toFixed(Math.min(100, fractionDigits(digits) - exponent)) : String(value);
  return plain.includes(".") ? plain : `${plain}.0`;
}

function fractionDigits(digits: string): number {
  return digits.split(".")[1]?.length ?? 0;
}
