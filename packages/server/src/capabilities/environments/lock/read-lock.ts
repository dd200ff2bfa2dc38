// Reads a lock from another machine. Everything in it is checked before it is believed: a path in it may later be
// written to, and a file of another kind should be named as such and not compared.
import { EnvironmentLock as LockShape } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import { compileSchema } from "../../../foundation/json/schema.ts";
import { type EnvironmentLock, isInsidePath } from "./environment-lock.ts";

const shape = compileSchema(LockShape);
const shownMax = 5;

export function readLock(value: unknown): EnvironmentLock {
  if (typeof value !== "object" || value === null || Reflect.get(value, "atelier_lock") === undefined)
    throw refuse("This is not a lock: atelier_lock is missing. `atelier env lock` writes one.");
  if (Reflect.get(value, "atelier_lock") !== 1)
    throw refuse("This lock was written by a newer version of atelier. Update atelier to read it.");
  if (!shape.accepts(value)) {
    const [first] = shape.violations(value);
    throw refuse(`The lock is damaged at ${first?.path || "its root"}: it ${first?.message ?? "is not valid"}.`);
  }
  const lock: EnvironmentLock = value;
  const wrong = [...pathProblems(lock), ...orderProblems(lock)].slice(0, shownMax);
  if (wrong.length > 0) throw refuse(wrong.join(" "));
  return lock;
}

function refuse(words: string): Fault {
  return new Fault("invalid_request", words);
}

function* pathProblems({ packs, weights }: EnvironmentLock): Iterable<string> {
  for (const { path } of weights) if (!isInsidePath(path)) yield outside(path);
  for (const { name, files } of packs) {
    if (!isInsidePath(name) || name.includes("/")) yield outside(name);
    for (const { path } of files) if (!isInsidePath(path)) yield outside(`${name}/${path}`);
  }
}

const outside = (path: string) => `The path ${JSON.stringify(path.slice(0, 200))} leads outside of its folder.`;

// The same name twice would give a lock two meanings. With a fixed order it has only one spelling.
function* orderProblems({ packs, weights }: EnvironmentLock): Iterable<string> {
  yield* unordered(
    "packs",
    packs.map(({ name }) => name),
  );
  yield* unordered(
    "weights",
    weights.map(({ path }) => path),
  );
  for (const { name, files } of packs)
    yield* unordered(
      `the files of ${name}`,
      files.map(({ path }) => path),
    );
}

function* unordered(what: string, names: readonly string[]): Iterable<string> {
  const at = names.findIndex((name, index) => index > 0 && name <= (names[index - 1] ?? ""));
  if (at > 0) yield `In ${what}, ${JSON.stringify(names[at])} is out of order or listed twice.`;
}
