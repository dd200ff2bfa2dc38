// Which JSONata functions a badge may call, and why others are refused. Clients pin JSONata ^2.1.0 while we evaluate with
// 2.2. Version 2.2 added no function, operator or syntax to the language (only limits for the embedding program and
// fixes), so this list decides what is "not newer than 2.1": a function of a later version is unknown here and refused
// until someone decides about it.
const pureFunctionsOf21 = new Set([
  "abs",
  "append",
  "average",
  "boolean",
  "ceil",
  "contains",
  "count",
  "distinct",
  "each",
  "exists",
  "filter",
  "floor",
  "join",
  "keys",
  "length",
  "lookup",
  "lowercase",
  "map",
  "max",
  "merge",
  "min",
  "not",
  "number",
  "pad",
  "power",
  "reduce",
  "replace",
  "reverse",
  "round",
  "sift",
  "single",
  "sort",
  "split",
  "spread",
  "sqrt",
  "string",
  "substring",
  "substringAfter",
  "substringBefore",
  "sum",
  "trim",
  "type",
  "uppercase",
  "zip",
]);

const notTheSameTwice =
  "returns a different value each time, but a badge must always show the same price for the same values";
const aboutTime = "reads or formats time, but a price must not depend on the clock";
const differs = "behaves differently in JSONata 2.1.0 and in later versions, so clients would show different prices";
const noPurpose = "has no purpose in a price expression";
const throws = "stops the expression, so the client shows nothing: return a text result instead";

const refusedFunctions: ReadonlyMap<string, string> = new Map([
  ["eval", "runs text as an expression, which cannot be checked beforehand"],
  ["now", notTheSameTwice],
  ["millis", notTheSameTwice],
  ["random", notTheSameTwice],
  ["shuffle", notTheSameTwice],
  ["toMillis", aboutTime],
  ["fromMillis", aboutTime],
  ["match", "needs a regular expression: use $contains, $substringBefore or a lookup table"],
  ["formatNumber", `${differs} (and can hang the older one): use $round and $string`],
  ["formatBase", noPurpose],
  ["formatInteger", noPurpose],
  ["parseInteger", `${noPurpose}: use $number`],
  ["clone", noPurpose],
  ["base64encode", noPurpose],
  ["base64decode", noPurpose],
  ["encodeUrl", noPurpose],
  ["encodeUrlComponent", noPurpose],
  ["decodeUrl", noPurpose],
  ["decodeUrlComponent", noPurpose],
  ["error", throws],
  ["assert", throws],
]);

// Functions that use the current context if the first argument is missing, with the number of arguments from which they
// do not. At the top of an expression that context is everything at once, which is never intended.
const argumentsWithoutContext: ReadonlyMap<string, number> = new Map([
  ["abs", 1],
  ["boolean", 1],
  ["ceil", 1],
  ["contains", 2],
  ["each", 2],
  ["floor", 1],
  ["keys", 1],
  ["length", 1],
  ["lookup", 2],
  ["lowercase", 1],
  ["not", 1],
  ["number", 1],
  ["pad", 2],
  ["power", 2],
  ["replace", 3],
  ["round", 1],
  ["sift", 2],
  ["split", 2],
  ["spread", 1],
  ["sqrt", 1],
  ["string", 1],
  ["substring", 2],
  ["substringAfter", 2],
  ["substringBefore", 2],
  ["trim", 1],
  ["uppercase", 1],
]);

export function isAllowedFunction(name: string): boolean {
  return pureFunctionsOf21.has(name);
}

export function whyRefused(name: string): string | null {
  return refusedFunctions.get(name) ?? null;
}

export function takesContext(name: string, argumentCount: number): boolean {
  const enough = argumentsWithoutContext.get(name);
  return enough !== undefined && argumentCount < enough;
}
