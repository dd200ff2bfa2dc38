// JSON in and out without a double in between: members as the text they arrived in, numbers written digit by digit.

// A number by its digits, for writeJson.
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// A body and its parsed value, or null if it is not JSON in UTF-8.
export function readJson(body: Uint8Array): { readonly text: string; readonly value: unknown } | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
    return { text, value: JSON.parse(text) };
  } catch {
    return null;
  }
}

export function writeJson(value: unknown): string {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(writeJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`).join(",")}}`;
}

// The members of a JSON object, each as its original text. The text must already have passed JSON.parse as an object; of
// duplicate members the last counts, as in JSON.parse.
export function membersOf(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = text.indexOf("{") + 1;
  for (;;) {
    const keyStart = text.indexOf('"', at);
    const close = text.indexOf("}", at);
    if (keyStart === -1 || (close !== -1 && close < keyStart)) return members;
    const keyEnd = endOfString(text, keyStart);
    const name: unknown = JSON.parse(text.slice(keyStart, keyEnd));
    const valueStart = text.indexOf(":", keyEnd) + 1;
    at = endOfValue(text, valueStart);
    members.set(String(name), text.slice(valueStart, at).trim());
    if (text.charAt(at) === "}") return members;
    at += 1;
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
  return at + 1;
}

// The index of the comma or brace that ends the value.
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === "{" || character === "[") depth += 1;
    else if ((character === "}" || character === "]" || character === ",") && depth === 0) return at;
    else if (character === "}" || character === "]") depth -= 1;
  }
  return text.length;
}

const numberParts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,6}))?$/;

// The canonical spelling of an integer (1, 1.0 and 10e-1 are the same), or null if it is not one. Large powers stay powers.
export function canonicalInteger(token: string): string | null {
  const parts = numberParts.exec(token);
  if (!parts) return null;
  const [, sign = "", whole = "", fraction = "", power = "0"] = parts;
  const digits = (whole + fraction).replace(/^0+/, "");
  const bare = digits.replace(/0+$/, "");
  if (bare === "") return "0";
  const exponent = Number(power) - fraction.length + (digits.length - bare.length);
  if (exponent < 0) return null;
  return exponent <= 400 ? `${sign}${bare}${"0".repeat(exponent)}` : `${sign}${bare}e${exponent}`;
}
