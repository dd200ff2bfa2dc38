// Usage as files for spreadsheets and programs. A spreadsheet executes fields that start like a formula, and subjects are
// partly callers' text. Such a field gets a leading apostrophe, as does a field that already starts with one, so removing
// one always restores the text. Every text is quoted (RFC 4180).
export type ExportFormat = "csv" | "jsonl";

export type ExportValue = string | number | boolean | null | Readonly<Record<string, string>>;
export type ExportRecord = Readonly<Record<string, ExportValue>>;

export const exportContentTypes = {
  csv: "text/csv; charset=utf-8",
  jsonl: "application/x-ndjson; charset=utf-8",
} as const satisfies Record<ExportFormat, string>;

// What comes before the first record.
export function exportHead(format: ExportFormat, columns: readonly string[]): string {
  return format === "csv" ? `${columns.join(",")}\r\n` : "";
}

export function exportLine(format: ExportFormat, columns: readonly string[], record: ExportRecord): string {
  if (format === "jsonl") return `${JSON.stringify(record)}\n`;
  return `${columns.map((column) => csvField(record[column] ?? null)).join(",")}\r\n`;
}

const formulaStart = /^[=+\-@\t\r\n'＝＋－＠]/;

// A cell holds one value, so an object, such as the tags of a call, is its JSON text there.
export function csvField(value: ExportValue): string {
  if (typeof value === "object" && value !== null) return csvField(JSON.stringify(value));
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === null) return "";
  const safe = formulaStart.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}
