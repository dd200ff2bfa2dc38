// JSON whose large integers survive: a seed above 2^53 is sent with the digits it was written with. What is read here
// holds such an integer as a raw piece of JSON, which only writing it again understands.
export interface RawInteger {
  readonly rawJSON: string;
}

type Parse = (text: string, revive: (key: string, value: unknown, context: { source?: string }) => unknown) => unknown;
const exactly: { parse: Parse; rawJSON(text: string): RawInteger } = JSON as never;

export function parseExactJson(text: string): unknown {
  return exactly.parse(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && /^-?\d+$/.test(source) && !Number.isSafeInteger(value)
      ? exactly.rawJSON(source)
      : value,
  );
}

export const writeJson = (value: unknown): string => JSON.stringify(value);
