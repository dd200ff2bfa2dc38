// JSON whose integers above 2^53 survive in both directions: read as bigint, written digit by digit. It also works where
// JSON.parse does not pass the source text of a number (Node 20, older browsers).
const longDigits = /\d{16}/;
// Matches whole tokens, so digits inside a string or after a decimal point are never taken for an integer.
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const integer = /^-?\d{16,}$/;

/**
 * Reads JSON; integers beyond 2^53 become bigint.
 * @example
 * parseJson('{"seed":18446744073709551615}') // { seed: 18446744073709551615n }
 */
export function parseJson(text: string): unknown {
  if (!longDigits.test(text)) return JSON.parse(text);
  const mark = markFor(text);
  const marked = text.replace(tokens, (token) =>
    integer.test(token) && !Number.isSafeInteger(Number(token)) ? `"${mark}${token}"` : token,
  );
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === "string" && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}

/**
 * Writes JSON; bigint becomes an integer with all its digits.
 * @example
 * writeJson({ seed: 18446744073709551615n }) // '{"seed":18446744073709551615}'
 */
export function writeJson(value: unknown): string {
  let mark = "";
  const text = JSON.stringify(value, (_key, each: unknown) => {
    if (typeof each !== "bigint") return each;
    if (mark === "") mark = freshMark();
    return `${mark}${each}`;
  });
  return mark === "" ? text : text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, "g"), "$1");
}

// Unpredictable, so no text from the caller can look like it.
function freshMark(): string {
  return `~${crypto.randomUUID()}~`;
}

function markFor(text: string): string {
  let mark = freshMark();
  while (text.includes(mark)) mark = freshMark();
  return mark;
}
