// Members of JSON that a stranger wrote: of the wanted type, or null.
export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Own members only: `constructor` names nothing.
export function memberOf(record: JsonRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

export function recordAt(record: JsonRecord, name: string): JsonRecord | null {
  const value = memberOf(record, name);
  return isRecord(value) ? value : null;
}

export function stringAt(record: JsonRecord, name: string): string | null {
  const value = memberOf(record, name);
  return typeof value === "string" ? value : null;
}

export function numberAt(record: JsonRecord, name: string): number | null {
  const value = memberOf(record, name);
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function listAt(record: JsonRecord, name: string): readonly unknown[] {
  const value = memberOf(record, name);
  return Array.isArray(value) ? value : [];
}

export function stringsAt(record: JsonRecord, name: string): readonly string[] {
  return listAt(record, name).flatMap((item) =>
    typeof item === "string" ? [item] : typeof item === "number" ? [String(item)] : [],
  );
}
