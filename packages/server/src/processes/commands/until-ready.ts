// `ready` means that /readyz passes. Until it does, the person who started the server sees what is wrong and how to fix it. The
// server keeps checking, since much of that is fixed from outside.
import type { Readiness } from "@atelier/contract";
import type { Clock } from "../../foundation/clock.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { CommandInput } from "./command.ts";

export interface UntilReadyDeps {
  readonly input: Pick<CommandInput, "say">;
  readonly life: Pick<Lifecycle, "stopping">;
  readonly clock: Clock;
}

const lookEveryMs = 500;

const mends: Readonly<Record<string, string>> = {
  "key ring":
    "Start with the ring that this database was used with (secrets.json of that data folder, or ATELIER_SECRETS_FILE); if it is lost for good: atelier secrets adopt",
  "blob store":
    "Check ATELIER_BLOBS: a folder's rights and the room on its disk; a bucket's name, ATELIER_BLOBS_KEY_ID and ATELIER_BLOBS_SECRET. atelier doctor says which",
  bus: "Check ATELIER_BUS, ATELIER_BUS_CREDENTIALS and that NATS can be reached from here: atelier doctor",
  database: "Check that PostgreSQL runs and can be reached: atelier doctor",
};

export async function untilReady(gateway: { look(): Promise<Readiness> }, deps: UntilReadyDeps): Promise<void> {
  let told = "";
  while (!deps.life.stopping.aborted) {
    const words = problemsOf(await gateway.look());
    if (words === null) return;
    if (words !== told) deps.input.say(words);
    told = words;
    await deps.clock.sleep(lookEveryMs, deps.life.stopping);
  }
  // Stopping ends the process; there is nothing more to print.
  return new Promise(() => undefined);
}

// Null if everything is fine.
function problemsOf({ status, checks }: Readiness): string | null {
  if (status === "ready") return null;
  const lines = Object.entries(checks).flatMap(([name, check]) =>
    check.status === "ok"
      ? []
      : [`  ${name}: ${check.message ?? "failing"}`, ...(mends[name] ? [`    → ${mends[name]}`] : [])],
  );
  return ["Not ready yet; /readyz answers 503:", ...lines].join("\n");
}
