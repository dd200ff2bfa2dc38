// Whether this process should be given work. Each check is a named question with a sentence for the operator. They run in
// parallel under a time limit, and a probe that comes too often gets the last verdict again.
import type { Readiness } from "@atelier/contract";
import type { Clock } from "../../foundation/clock.ts";

export interface ReadinessCheck {
  readonly name: string;
  // Null if all is well, else what is wrong, without addresses or secrets. A remark is reported but does not make the process
  // unready.
  look(): Promise<string | null | Remark>;
}

export interface Remark {
  readonly remark: string;
}

export interface ReadinessDeps {
  readonly checks: readonly ReadinessCheck[];
  readonly clock: Clock;
  readonly leaving: AbortSignal;
}

const secondsMax = 3;
const keepMs = 500;

export function readiness(deps: ReadinessDeps): () => Promise<Readiness> {
  let last: { at: number; verdict: Promise<Readiness> } | null = null;
  return () => {
    if (deps.leaving.aborted) return Promise.resolve(verdictOf([["process", "The process is stopping."]]));
    const now = deps.clock.monotonicMs();
    if (last && now - last.at < keepMs) return last.verdict;
    const verdict = Promise.all(
      deps.checks.map(async (check) => [check.name, await lookInTime(check, deps.clock)] as const),
    ).then(verdictOf);
    last = { at: now, verdict };
    return verdict;
  };
}

async function lookInTime(check: ReadinessCheck, clock: Clock): Promise<string | null | Remark> {
  const giveUp = new AbortController();
  const late = clock.sleep(secondsMax * 1000, giveUp.signal).then(() => "It did not respond in time.");
  try {
    return await Promise.race([check.look(), late]);
  } catch {
    return "It could not be checked.";
  } finally {
    giveUp.abort();
  }
}

function verdictOf(results: readonly (readonly [string, string | null | Remark])[]): Readiness {
  return {
    status: results.every(([, found]) => typeof found !== "string") ? "ready" : "not_ready",
    checks: Object.fromEntries(results.map(([name, found]) => [name, shown(found)])),
  };
}

function shown(found: string | null | Remark): Readiness["checks"][string] {
  if (found === null) return { status: "ok" };
  return typeof found === "string" ? { status: "failing", message: found } : { status: "ok", message: found.remark };
}
