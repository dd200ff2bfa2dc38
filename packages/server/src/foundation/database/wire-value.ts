// Converts a value before it is sent. The driver would convert while it writes to the connection, and a value that cannot be
// converted would leave behind a closed prepared statement whose name the driver still trusts. Converted here, a bad value
// fails alone and nothing has been sent.
export type WireValue = string | Buffer | null;

// Lists become PostgreSQL arrays and other objects become JSON. Pass a list that is meant as JSON as JSON text.
export function wireValue(value: unknown): WireValue {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "bigint":
    case "boolean":
      return String(value);
    case "undefined":
      return null;
    case "object":
      return objectValue(value);
    default:
      throw new TypeError(`A ${typeof value} cannot be a value of a statement.`);
  }
}

function objectValue(value: object | null): WireValue {
  if (value === null) return null;
  if (value instanceof Uint8Array) return bytesOf(value);
  if (value instanceof Date) return dateText(value);
  if (Array.isArray(value)) return arrayText(value);
  return JSON.stringify(value);
}

function bytesOf(value: Uint8Array): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

// Always UTC with an explicit zone, regardless of the process's zone. PostgreSQL spells years outside 0–9999 differently.
function dateText(value: Date): string {
  const year = value.getUTCFullYear();
  if (year < 1 || year > 9999) throw new RangeError("A date before year 1 or after year 9999 cannot be stored.");
  return value.toISOString();
}

function arrayText(items: readonly unknown[]): string {
  let text = "{";
  for (let index = 0; index < items.length; index++) {
    if (index > 0) text += ",";
    const item = items[index];
    // The most common list items, which need neither quotes nor checks.
    if (typeof item === "number" || typeof item === "boolean") text += item;
    else text += Array.isArray(item) ? arrayText(item) : elementText(wireValue(item));
  }
  return `${text}}`;
}

const plainElement = /^[0-9A-Za-z_.:+-]+$/;

function elementText(value: WireValue): string {
  if (value === null) return "NULL";
  if (typeof value !== "string") return `"\\\\x${value.toString("hex")}"`;
  if (plainElement.test(value) && (value.length !== 4 || value.toLowerCase() !== "null")) return value;
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
