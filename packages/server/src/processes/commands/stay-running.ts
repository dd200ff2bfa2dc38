// For a command that keeps running after it printed its line: its log, its lifecycle and the signals that end it. If the start
// fails, its steps are undone and the program handles signals itself again.
import { systemClock } from "../../foundation/clock.ts";
import { createKnownSecrets, type KnownSecrets } from "../../foundation/known-secrets.ts";
import { createLifecycle, type Lifecycle, stopOnSignals } from "../../foundation/lifecycle.ts";
import { createLog, type Log, type LogLevel } from "../../foundation/log.ts";
import { letHeapGrow } from "../../foundation/memory/heap-growth.ts";
import { giveBackAtOnce, restWork } from "../../foundation/memory/rest.ts";
import type { CommandInput, CommandResult } from "./command.ts";

export async function stayRunning(
  level: LogLevel,
  input: CommandInput,
  start: (life: Lifecycle, log: Log, known: KnownSecrets) => Promise<CommandResult>,
  // The roles whose background work it does. All of it if absent.
  roles?: readonly string[],
): Promise<CommandResult> {
  letHeapGrow();
  const known = createKnownSecrets();
  const log = createLog({
    level,
    known,
    ...(input.isTerminal ? { pretty: input.isColoured ? ("coloured" as const) : ("plain" as const) } : {}),
  });
  const life = createLifecycle({ log, clock: systemClock, ...(roles ? { roles: new Set(roles) } : {}) });
  const untie = stopOnSignals(life, input.exit);
  process.on("uncaughtException", (error) => {
    log.error({ err: error }, "uncaught error; stopping");
    void life.stop("uncaught error").finally(() => input.exit(1));
  });
  try {
    const ready = await start(life, log, known);
    giveBackAtOnce();
    const rest = restWork();
    if (rest !== null) life.repeat(rest);
    return ready;
  } catch (error) {
    await life.stop("failed to start");
    untie();
    throw error;
  }
}
