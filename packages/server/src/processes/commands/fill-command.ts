// `atelier env fill`: makes the application's folder on this machine equal to a lock, once.
import { join, resolve } from "node:path";
import { filledText, fillHere, untilFilled } from "../../capabilities/filling/index.ts";
import { openServerClient, openWorkerHome } from "../../capabilities/remote-work/index.ts";
import { createBackground } from "../../foundation/background.ts";
import { systemClock } from "../../foundation/clock.ts";
import { createLog } from "../../foundation/log.ts";
import type { CommandInput, CommandResult, ReadCommand } from "./command.ts";
import { readRequest } from "./worker-command.ts";

export async function fillOnce(read: ReadCommand, input: CommandInput): Promise<CommandResult> {
  const { serverUrl, token, poolId, name } = readRequest(read);
  const home = openWorkerHome(join(resolve(read.config.home), "worker"));
  const server = openServerClient({ serverUrl, token });
  const stopping = new AbortController();
  const stop = () => stopping.abort(new Error("stopped"));
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    const about = { config: read.config, options: read.options, input, server, serverUrl, poolId, name };
    const lock = read.words[0] ?? "";
    const background = createBackground({ clock: systemClock, log: createLog({ level: "error" }) });
    const filling = await fillHere({ ...about, workerId: home.workerId, lock, signal: stopping.signal, background });
    try {
      const filled = await untilFilled(filling, input);
      return { data: filled, text: filledText(filled) };
    } finally {
      await filling.close();
    }
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    await server.close();
    home.release();
  }
}
