// Makes the body of a streamed answer from its events, as the definition says. Pure. The provider decides what is in the
// events, so depth, indexes and member names are bounded, and a part that does not fit is left out.
import { jsonOrUndefined } from "../../../foundation/json/foreign-json.ts";
import { namesInPointer } from "../../../foundation/json-pointer.ts";
import { valueAt } from "../json-pointer.ts";
import type { StreamDefinition, StreamStep } from "./stream-definition.ts";
import { streamEvents } from "./stream-events.ts";

export interface ComposedStream {
  // Whether the last event came. Without it the stream broke off, and what the rest would have said is unknown.
  readonly isComplete: boolean;
  // Undefined if no event was JSON.
  readonly document: unknown;
}

const indexMax = 1_000;
const depthMax = 32;

export function composeStream(stream: StreamDefinition, bytes: Buffer): ComposedStream {
  const root: Holder = { value: undefined };
  let isComplete = false;
  for (const { data } of streamEvents(bytes)) {
    if ("data" in stream.end && data === stream.end.data) {
      isComplete = true;
      continue;
    }
    const event = jsonOrUndefined(data);
    if (event === undefined) continue;
    for (const step of stream.whole) takeStep(root, step, event);
    if ("pointer" in stream.end && valueAt(event, stream.end.pointer) === stream.end.equals) isComplete = true;
  }
  return { isComplete, document: finished(root.value) };
}

interface Holder {
  value: unknown;
}

// Texts that are read as JSON once they are complete.
class JsonPieces {
  text = "";
}

function takeStep(root: Holder, step: StreamStep, event: unknown): void {
  if (step.when && valueAt(event, step.when.pointer) !== step.when.equals) return;
  const sources = step.each === undefined ? [event] : valueAt(event, step.each);
  if (Array.isArray(sources)) for (const source of sources) takeFrom(root, step, source);
}

function takeFrom(root: Holder, step: StreamStep, source: unknown): void {
  const value = step.value ?? valueAt(source, step.from ?? "");
  if (value === undefined || value === null) return;
  const index = valueAt(source, "/index") ?? 0;
  if (step.into.includes("{index}") && !isIndex(index)) return;
  const names = namesInPointer(step.into.replaceAll("{index}", String(index)));
  const holder = holderAt(root, names);
  if (holder === null) return;
  if (step.as === "set") holder.value = value;
  else if (step.as === "push") holder.value = [...(Array.isArray(holder.value) ? holder.value : []), value];
  else if (step.as === "merge") holder.value = merged(holder.value, value, new Set(step.replaced));
  else if (typeof value !== "string") return;
  else if (step.as === "append") holder.value = typeof holder.value === "string" ? holder.value + value : value;
  else {
    const pieces = holder.value instanceof JsonPieces ? holder.value : new JsonPieces();
    pieces.text += value;
    holder.value = pieces;
  }
}

const isIndex = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < indexMax;

// The place that a pointer names, with everything above it made on the way. Null if something else is there.
function holderAt(root: Holder, names: readonly string[]): Holder | null {
  let holder = root;
  for (const name of names) {
    const isPosition = /^\d{1,4}$/.test(name) && isIndex(Number(name));
    holder.value ??= isPosition ? [] : {};
    const inside = holder.value;
    if (typeof inside !== "object" || inside === null || inside instanceof JsonPieces) return null;
    if (name === "__proto__" || (Array.isArray(inside) && !isPosition)) return null;
    holder = memberHolder(inside, name);
  }
  return holder;
}

function memberHolder(inside: object, name: string): Holder {
  return {
    get value() {
      return Object.hasOwn(inside, name) ? Reflect.get(inside, name) : undefined;
    },
    set value(value: unknown) {
      Reflect.set(inside, name, value);
    },
  };
}

function merged(here: unknown, coming: unknown, replaced: ReadonlySet<string>, depth = 0): unknown {
  if (coming === null || coming === undefined || depth > depthMax) return here ?? coming;
  if (typeof here === "string" && typeof coming === "string") return here + coming;
  if (Array.isArray(coming)) return mergedLists(Array.isArray(here) ? here : [], coming, replaced, depth);
  if (typeof coming !== "object") return coming;
  const result: Record<string, unknown> = isMembers(here) ? here : {};
  for (const [name, value] of Object.entries(coming)) {
    if (name === "__proto__") continue;
    const known = Object.hasOwn(result, name) ? result[name] : undefined;
    result[name] = replaced.has(name) && value !== null ? value : merged(known, value, replaced, depth + 1);
  }
  return result;
}

// Elements with an index belong together; others follow one another.
function mergedLists(here: unknown[], coming: readonly unknown[], replaced: ReadonlySet<string>, depth: number) {
  for (const element of coming) {
    const index = valueAt(element, "/index");
    const at = index === undefined ? -1 : here.findIndex((known) => valueAt(known, "/index") === index);
    if (at === -1) here.push(merged(undefined, element, replaced, depth + 1));
    else here[at] = merged(here[at], element, new Set([...replaced, "index"]), depth + 1);
  }
  return here;
}

const isMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

// Text that holds JSON becomes the value that it spells, and gaps in lists close up.
function finished(value: unknown, depth = 0): unknown {
  if (value instanceof JsonPieces) return jsonOrUndefined(value.text) ?? value.text;
  if (typeof value !== "object" || value === null || depth > depthMax) return value;
  if (Array.isArray(value)) return value.filter((each) => each !== undefined).map((each) => finished(each, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, finished(inner, depth + 1)]));
}
