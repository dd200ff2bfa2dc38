// Their request → the model's input. A member that no step takes is dropped, and the answer says so.
import { isRecord } from "../../foundation/json/json-record.ts";
import { namesInPointer } from "../../foundation/json-pointer.ts";
import type { Mapping, MappingStep } from "./mapping.ts";

export interface TranslatedInput {
  readonly input: Readonly<Record<string, unknown>>;
  readonly dropped: readonly string[];
}

type Members = Readonly<Record<string, unknown>>;

export function translateInput(
  mapping: Pick<Mapping, "own" | "input">,
  schema: Readonly<Record<string, unknown>> | null,
  request: Members,
): TranslatedInput {
  const given = Object.entries(request).filter(([name, value]) => name !== "model" && value !== null);
  const taken = new Set<string>();
  const input: Record<string, unknown> = {};
  const steps = mapping.input.filter((step) => !step.streams || request["stream"] === true);
  const named = new Set(steps.map(({ from }) => from));
  const properties = schema?.["properties"];
  for (const [name, value] of given) {
    const isKnown = schema === null || (isRecord(properties) && Object.hasOwn(properties, name));
    if (!mapping.own || named.has(name) || !isKnown || name === "__proto__") continue;
    input[name] = value;
    taken.add(name);
  }
  for (const step of steps) if (takeStep(step, request, input) && step.from !== undefined) taken.add(step.from);
  return { input, dropped: given.map(([name]) => name).filter((name) => !taken.has(name)) };
}

// True if the request's member was used.
function takeStep(step: MappingStep, request: Members, input: Record<string, unknown>): boolean {
  const given = step.from === undefined ? step.value : (request[step.from] ?? undefined);
  const value = given === undefined ? undefined : translated(step, given);
  const pointers = [step.to].flat();
  const values = step.as === "size" ? sizeOf(value) : [value ?? step.otherwise];
  for (const [at, pointer] of pointers.entries()) {
    const one = values?.[at];
    if (one !== undefined) setAt(input, namesInPointer(pointer), one);
  }
  return given !== undefined && value !== undefined && values !== null;
}

function translated(step: MappingStep, given: unknown): unknown {
  if (step.values)
    return typeof given === "string" && Object.hasOwn(step.values, given) ? step.values[given] : undefined;
  switch (step.as) {
    case "prompt":
      return textsOf(given, () => true);
    case "system":
      return textsOf(given, isSystem);
    case "turns":
      return turnsOf(given);
    case "file":
      return wrapped(step, [given].flat()[0]);
    case "files":
      return [given].flat().map((each) => wrapped(step, each));
    default:
      return given;
  }
}

const wrapped = ({ within }: MappingStep, url: unknown) => (within === undefined ? url : { [within]: url });

function sizeOf(value: unknown): [number, number] | null {
  const [, width, height] = typeof value === "string" ? (/^(\d{1,5})x(\d{1,5})$/.exec(value) ?? []) : [];
  return width === undefined || height === undefined ? null : [Number(width), Number(height)];
}

const isSystem = (role: unknown) => role === "system" || role === "developer";

function textsOf(messages: unknown, isWanted: (role: unknown) => boolean): string | undefined {
  if (!Array.isArray(messages)) return undefined;
  const texts = messages.flatMap((message) =>
    isRecord(message) && isWanted(message["role"]) ? [contentText(message["content"])] : [],
  );
  return texts.length === 0 ? undefined : texts.join("\n\n");
}

function turnsOf(messages: unknown): unknown {
  if (!Array.isArray(messages)) return undefined;
  return messages.flatMap((message) =>
    isRecord(message) && !isSystem(message["role"])
      ? [{ role: message["role"], content: contentText(message["content"]) }]
      : [],
  );
}

// A text, or parts of which some are texts.
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((part) => (isRecord(part) && typeof part["text"] === "string" ? [part["text"]] : []))
    .join("\n");
}

function setAt(target: object, [name = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    Reflect.set(target, name, value);
    return;
  }
  const inner: unknown = Object.hasOwn(target, name) ? Reflect.get(target, name) : undefined;
  const next = typeof inner === "object" && inner !== null ? inner : /^\d+$/.test(rest[0] ?? "") ? [] : {};
  Reflect.set(target, name, next);
  setAt(next, rest, value);
}

// For a header: names that are not plain words are not repeated.
export function droppedHeader(dropped: readonly string[]): Readonly<Record<string, string>> {
  const names = dropped.filter((name) => /^[\w.-]{1,64}$/.test(name)).slice(0, 50);
  return names.length === 0 ? {} : { "x-service-dropped-params": names.join(", ") };
}
