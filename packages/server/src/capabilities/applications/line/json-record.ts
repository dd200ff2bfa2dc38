// Reads members of untrusted JSON: the value if it has the expected type, else null.
import { isRecord, type JsonRecord, memberOf } from "../../../foundation/json/json-record.ts";

export { isRecord, type JsonRecord, memberOf };

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
