// JSON whose integers keep all their digits: seeds go up to 2⁶⁴, and the application, unlike a double, does not round them.
interface Reading {
  readonly source?: string;
}

export function readExact(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const revive = (_name: string, value: unknown, reading?: Reading): unknown =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(reading?.source ?? "")
      ? BigInt(reading?.source ?? 0)
      : value;
  return JSON.parse(text, revive);
}

export function writeExact(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return written(value);
  }
}

function written(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${written(member)}`).join(",")}}`;
}
