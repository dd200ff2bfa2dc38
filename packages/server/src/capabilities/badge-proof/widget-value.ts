// What a client passes to an expression as the value of a widget. Strings are always lower-case, so a literal with a
// capital letter never equals a widget.
export type WidgetValue = string | number | boolean | null;
export type WidgetBucket = "number" | "boolean" | "text";

export function bucketOf(type: string): WidgetBucket {
  if (type === "INT" || type === "FLOAT") return "number";
  return type === "BOOLEAN" ? "boolean" : "text";
}

export function asClientsSee(type: string, value: unknown): WidgetValue {
  if (value === null || value === undefined) return null;
  switch (bucketOf(type)) {
    case "number":
      return asNumber(value);
    case "boolean":
      return asBoolean(value);
    case "text":
      return type === "COMBO" && (typeof value === "number" || typeof value === "boolean") ? value : asText(value);
  }
}

function asNumber(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "string" || value.trim() === "") return null;
  const parsed = Number(value);
  return Number.isFinite(parsed) ? parsed : null;
}

function asBoolean(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  const text = asText(value);
  return text === "true" ? true : text === "false" ? false : null;
}

function asText(value: unknown): string {
  return String(value).trim().toLowerCase();
}
