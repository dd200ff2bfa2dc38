// Whether a definition can be a price: its shape, and what a shape cannot express. All problems are reported together, in
// words. The bounds make hold, charge and badge exact.
import { limits } from "@atelier/contract";
import { isRecord } from "../../foundation/json/json-record.ts";
import { compileSchema, type Violation } from "../../foundation/json/schema.ts";
import { makeBadge } from "./make-badge.ts";
import { findHighestPrice, priceOf } from "./price.ts";
import { PriceDefinition, PriceFormat, shallowTerms } from "./price-definition.ts";
import { readingProblems } from "./reading-problems.ts";

export type ValidatedPrice =
  | { readonly ok: true; readonly definition: PriceDefinition }
  | { readonly ok: false; readonly problems: readonly string[] };

// Fifteen digits: any decimal with that many digits is the shortest text of its nearest double, so the dollars of a badge
// can be read back exactly.
const digitsMax = 15;
const decimalsMax = 20;
const usdMax = 1_000_000n;
const depthMax = 6;

export function validatePrice(definition: unknown): ValidatedPrice {
  const problems = shapeProblems(definition);
  if (problems.length > 0) return { ok: false, problems };
  if (!compileSchema(PriceDefinition).accepts(definition)) {
    return { ok: false, problems: ["The price does not have the shape of a price."] };
  }
  const readings = readingProblems(definition);
  const found = readings.length > 0 ? readings : sizeProblems(definition);
  return found.length > 0 ? { ok: false, problems: found } : { ok: true, definition };
}

function shapeProblems(definition: unknown): readonly string[] {
  if (!isRecord(definition)) return ['A price must be an object such as {"usd": "0.11"}.'];
  const strangers = Object.keys(definition).filter((name) => name !== "usd" && name !== "format");
  return [
    ...strangers.map((name) => `"${name}" is not part of a price: only usd and format.`),
    ...(isStorable(definition) ? [] : ["The price contains a character that cannot be stored."]),
    ...termProblems("usd", definition["usd"], 1),
    ...(definition["format"] === undefined
      ? []
      : inWords("format", compileSchema(PriceFormat).violations(definition["format"]))),
  ];
}

// Level by level, so that a problem is reported where it is and not as a union that did not match.
function termProblems(path: string, term: unknown, depth: number): readonly string[] {
  if (depth > depthMax) return [`${path} is nested deeper than ${depthMax} levels.`];
  if (!isRecord(term)) {
    if (typeof term !== "string")
      return [`${path} must be dollars as a string such as "0.11", or an object with a kind.`];
    return compileSchema(shallowTerms.usd).accepts(term)
      ? []
      : [
          `${path} must be dollars as a plain decimal string with at most seven digits and nine decimal places, not "${term}".`,
        ];
  }
  const kind = kindOf(term["kind"]);
  if (kind === null) {
    const known = Object.keys(shallowTerms).filter((name) => name !== "usd");
    return [`${path}.kind must be one of ${known.join(", ")}.`];
  }
  const own = inWords(path, compileSchema(shallowTerms[kind]).violations(term));
  const nested = nestedTerms(term).flatMap(([name, inner]) => termProblems(`${path}.${name}`, inner, depth + 1));
  return [...own, ...nested];
}

function nestedTerms(term: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  const { each, cases, parts } = term;
  return [
    ...(each === undefined ? [] : [["each", each] as const]),
    ...(isRecord(cases) ? Object.entries(cases).map(([word, inner]) => [`cases.${word}`, inner] as const) : []),
    ...(Array.isArray(parts) ? parts.map((part: unknown, at) => [`parts.${at}`, part] as const) : []),
  ];
}

function sizeProblems(definition: PriceDefinition): readonly string[] {
  const price = priceOf(definition, 1);
  const dearest = findHighestPrice(price.formula);
  if (dearest > usdMax * 10n ** BigInt(price.scale)) return [`The price can exceed ${usdMax} USD per call.`];
  if (String(dearest).length > digitsMax || price.scale > decimalsMax) {
    return [`The price is too precise for its size: the most expensive call needs more than ${digitsMax} digits.`];
  }
  const { expr, depends_on } = makeBadge(price);
  if (Buffer.byteLength(expr) > limits.badgeExpressionBytesMax) {
    return [`The price is too large: its badge would be longer than ${limits.badgeExpressionBytesMax} bytes.`];
  }
  return depends_on.widgets.length > 100 ? ["The price reads more than 100 widgets."] : [];
}

function inWords(path: string, violations: readonly Violation[]): readonly string[] {
  return violations.map((one) => `${path}${one.path.replaceAll("/", ".")} ${one.message}.`);
}

function kindOf(kind: unknown): Exclude<keyof typeof shallowTerms, "usd"> | null {
  switch (kind) {
    case "per_second":
    case "per_count":
    case "per_megapixel":
    case "table":
    case "sum":
    case "tokens":
      return kind;
    default:
      return null;
  }
}

// PostgreSQL keeps neither NUL nor half a surrogate pair in JSON.
function isStorable(value: unknown): boolean {
  const escapes = JSON.stringify(value).replaceAll("\\\\", "");
  return !/\\u(0000|d[89a-f])/.test(escapes);
}
