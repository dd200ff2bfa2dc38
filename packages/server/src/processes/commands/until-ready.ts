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
    "Start with the key ring that belongs to this database (secrets.json of its data folder, or ATELIER_SECRETS_FILE). If it is lost for good: atelier secrets adopt",
  "blob store":
    "Check ATELIER_BLOBS: a folder's permissions and free space, or a bucket's name, ATELIER_BLOBS_KEY_ID and ATELIER_BLOBS_SECRET. For details: atelier doctor",
  bus: "Check ATELIER_BUS, ATELIER_BUS_CREDENTIALS and that NATS is reachable. For details: atelier doctor",
  database: "Check that PostgreSQL is running and reachable. For details: atelier doctor",
};

export async function untilReady(gateway: { look(): Promise<Readiness> }, deps: UntilReadyDeps): Promise<void> {
  let shown = "";
  while (!deps.life.stopping.aborted) {
    const words = problemsOf(await gateway.look());
    if (words === null) return;
    if (words !== shown) deps.input.say(words);
    shown = words;
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
