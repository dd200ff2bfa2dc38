// Which results of an expression a client can show. Anything else makes the badge silently disappear, so each way to miss
// has its own code and says what probably happened.
import { isRecord } from "../../foundation/json/json-record.ts";

export interface LabelFormat {
  readonly suffix?: string;
  readonly note?: string;
  readonly approximate?: boolean;
  readonly separator?: string;
}

export type BadgeResult =
  | { readonly type: "usd"; readonly usd: number; readonly format?: LabelFormat }
  | { readonly type: "range_usd"; readonly min_usd: number; readonly max_usd: number; readonly format?: LabelFormat }
  | { readonly type: "list_usd"; readonly usd: readonly number[]; readonly format?: LabelFormat }
  | { readonly type: "text"; readonly text: string };

export interface Miss {
  readonly code: string;
  readonly message: string;
  readonly position?: number | null;
}

export type ReadResult =
  | { readonly ok: true; readonly result: BadgeResult }
  | { readonly ok: false; readonly miss: Miss };

export function readBadgeResult(value: unknown): ReadResult {
  if (value === undefined) return miss("result_missing", "The expression returns nothing.");
  if (!isRecord(value)) {
    return miss("result_not_object", 'The expression must return an object such as {"type": "usd", "usd": 0.11}.');
  }
  const format = readFormat(value["format"], value["type"] === "list_usd");
  if (format !== null && "code" in format) return { ok: false, miss: format };
  const formatted = format === null ? {} : { format };
  switch (value["type"]) {
    case "usd": {
      const wrong = priceMiss("usd", value["usd"]);
      if (wrong) return { ok: false, miss: wrong };
      return { ok: true, result: { type: "usd", usd: Number(value["usd"]), ...formatted } };
    }
    case "range_usd":
      return readRange(value, formatted);
    case "list_usd":
      return readList(value["usd"], formatted);
    case "text":
      return typeof value["text"] === "string" && value["text"].trim() !== ""
        ? { ok: true, result: { type: "text", text: value["text"] } }
        : miss("text_missing", "A text result needs a non-empty string in `text`.");
    default:
      return miss("result_type", "The result's `type` must be usd, range_usd, list_usd or text.");
  }
}

function readRange(value: Readonly<Record<string, unknown>>, formatted: { format?: LabelFormat }): ReadResult {
  const wrong = priceMiss("min_usd", value["min_usd"]) ?? priceMiss("max_usd", value["max_usd"]);
  if (wrong) return { ok: false, miss: wrong };
  const [minimum, maximum] = [Number(value["min_usd"]), Number(value["max_usd"])];
  if (minimum > maximum) return miss("range_reversed", `min_usd ${minimum} is above max_usd ${maximum}.`);
  return { ok: true, result: { type: "range_usd", min_usd: minimum, max_usd: maximum, ...formatted } };
}

function readList(usd: unknown, formatted: { format?: LabelFormat }): ReadResult {
  if (typeof usd === "number") {
    return miss(
      "list_collapsed",
      "The list has one element, so JSONata turned it into a number. Append [] to the path, or return type usd.",
    );
  }
  if (usd === undefined) return miss("price_missing", "`usd` is missing: a path or lookup found nothing.");
  if (!Array.isArray(usd)) return miss("price_not_number", "A list_usd result needs `usd`, an array of numbers.");
  if (usd.length === 0) return miss("list_empty", "The list of prices is empty.");
  for (const price of usd) {
    const wrong = priceMiss("usd", price);
    if (wrong) return { ok: false, miss: wrong };
  }
  return { ok: true, result: { type: "list_usd", usd: usd.map(Number), ...formatted } };
}

function priceMiss(name: string, price: unknown): Miss | null {
  if (price === undefined) {
    return {
      code: "price_missing",
      message: `\`${name}\` is missing: a lookup found nothing, or the arithmetic uses a value that does not exist.`,
    };
  }
  if (typeof price !== "number") return { code: "price_not_number", message: `\`${name}\` is not a number.` };
  if (!Number.isFinite(price)) {
    return { code: "price_not_finite", message: `\`${name}\` is not a finite number (division by zero?).` };
  }
  return price < 0 ? { code: "price_negative", message: `\`${name}\` is negative: ${price}.` } : null;
}

function readFormat(format: unknown, isList: boolean): LabelFormat | Miss | null {
  if (format === undefined) return null;
  const wrong = (message: string): Miss => ({ code: "format", message });
  if (!isRecord(format)) return wrong("`format` must be an object.");
  const { suffix, note, approximate, separator, ...unknown } = format;
  const stranger = Object.keys(unknown)[0];
  if (stranger !== undefined)
    return wrong(`\`format.${stranger}\` is unknown. Allowed: suffix, note, approximate, separator.`);
  if (suffix !== undefined && typeof suffix !== "string") return wrong("`format.suffix` must be a string.");
  if (note !== undefined && typeof note !== "string") return wrong("`format.note` must be a string.");
  if (approximate !== undefined && typeof approximate !== "boolean")
    return wrong("`format.approximate` must be a boolean.");
  if (separator !== undefined && typeof separator !== "string") return wrong("`format.separator` must be a string.");
  if (separator !== undefined && !isList) return wrong("`format.separator` is for list_usd only.");
  return {
    ...(suffix === undefined ? {} : { suffix }),
    ...(note === undefined ? {} : { note }),
    ...(approximate === undefined ? {} : { approximate }),
    ...(separator === undefined ? {} : { separator }),
  };
}

function miss(code: string, message: string): ReadResult {
  return { ok: false, miss: { code, message } };
}
