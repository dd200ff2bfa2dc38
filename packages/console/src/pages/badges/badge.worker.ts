// Evaluates badges off the main thread. If an expression never ends, the page terminates this worker.
import { badgeContext, readBadgeValue } from "@atelier/sdk/badges";
import jsonata from "jsonata";
import type { Outcome, Task } from "./evaluator.ts";

// The limits of the write-time check. A hostile regular expression gets past them, so there is a deadline as well.
const limits = { timeout: 200, stack: 400, sequence: 1_000 };

async function outcomeOf({ badge, state }: Task): Promise<Outcome> {
  try {
    const context = badgeContext(badge.depends_on, state);
    const raw = plainOf(await jsonata(badge.expr, limits).evaluate(context));
    return { kind: "value", raw, ...readBadgeValue(raw) };
  } catch (thrown) {
    return { kind: "failed", ...factsOf(thrown) };
  }
}

// The evaluator marks its arrays and may return functions; the page should get plain data.
function plainOf(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(text);
}

function factsOf(thrown: unknown): { code: string; message: string; position: number | null; token: string | null } {
  const { code, message, position, token } = (thrown ?? {}) as Readonly<Record<string, unknown>>;
  return {
    code: typeof code === "string" ? code : "error",
    message: typeof message === "string" ? message : String(thrown),
    position: typeof position === "number" ? position : null,
    token: typeof token === "string" ? token : null,
  };
}

addEventListener("message", async ({ data }: MessageEvent<{ readonly id: number; readonly task: Task }>) => {
  postMessage({ id: data.id, outcome: await outcomeOf(data.task) });
});

// Reports when it is warm, so that the first expression's deadline does not include the worker's start.
await outcomeOf({ badge: { depends_on: { widgets: [], inputs: [], input_groups: [] }, expr: "1 + 1" }, state: {} });
postMessage({ id: 0, outcome: null });
