// Where a finding of the kit is: its message names a pointer first, relative to the model if it is about one.
import type { Finding } from "./check-provider.ts";

export const isInFixtures = ({ problem }: Pick<Finding, "problem">): boolean => problem.startsWith("in the fixtures");

// In the definition; null if the message names none.
export function pointerOf({ model, problem }: Finding, definition: unknown): string | null {
  const [pointer] = /\/[a-z_][^\s:,]*/.exec(problem) ?? [];
  if (pointer === undefined) return null;
  return `${modelPointer(model, definition) ?? ""}${pointer}`;
}

export function modelPointer(model: string | null, definition: unknown): string | null {
  const models: unknown = typeof definition === "object" && definition ? Reflect.get(definition, "models") : null;
  const index = Array.isArray(models) ? models.findIndex((each) => Object(each).model === model) : -1;
  return model === null || index < 0 ? null : `/models/${index}`;
}
