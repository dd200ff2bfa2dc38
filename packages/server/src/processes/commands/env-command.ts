// `atelier env lock|check|diff`: what an application on this machine has, written down and compared. Nothing is sent.
import { readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { runningApplication } from "../../capabilities/application-workers/index.ts";
import { openApplication } from "../../capabilities/applications/index.ts";
import { blake3Stream } from "../../capabilities/blobs/index.ts";
import {
  compareLocks,
  differenceText,
  type EnvironmentLock,
  FileChanged,
  findPython,
  lockId,
  lockProblem,
  lockText,
  makeLock,
  type RunningApplication,
  readLock,
} from "../../capabilities/environments/index.ts";
import { systemClock } from "../../foundation/clock.ts";
import { sizeText } from "../../foundation/home/size-text.ts";
import { newId } from "../../foundation/ids.ts";
import { createLog } from "../../foundation/log.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { type Command, type CommandInput, type CommandResult, type ReadCommand, readCommand } from "./command.ts";
import { fillOnce } from "./fill-command.ts";

export const envCommand: Command = {
  async run(listed, input) {
    const read = readCommand(listed, input);
    if (read.verb === "diff") return diff(read);
    if (read.verb === "fill") return fillOnce(read, input);
    return read.verb === "check" ? check(read, input) : lock(read, input);
  },
};

async function lock(read: ReadCommand, input: CommandInput): Promise<CommandResult> {
  const made = await lockHere(read, input);
  const path = typeof read.options["output"] === "string" ? read.options["output"] : "atelier.lock.json";
  await writeFile(path, lockText(made));
  const { packs, weights, python } = made;
  const size = sizeText(weights.reduce((sum, { bytes }) => sum + bytes, 0));
  const parts = [
    `application ${made.application.version}`,
    counted(packs.length, "pack"),
    python === null ? "Python left out" : `${Object.keys(python.packages).length} Python packages`,
    `${counted(weights.length, "weight")} (${size})`,
    made.classes === null ? "classes unknown" : `${Object.keys(made.classes).length} classes`,
  ];
  const id = lockId(made);
  return {
    data: { id, path, packs: packs.length, weights: weights.length },
    text: `Wrote ${path}: ${parts.join(", ")}. Lock ${id.slice(0, 12)}.`,
    ...(made.classes === null
      ? { warnings: ["No application is running at --application-url, so the lock has no node classes."] }
      : {}),
    afterwards: "Compare another machine with it: atelier env check atelier.lock.json",
  };
}

async function check(read: ReadCommand, input: CommandInput): Promise<CommandResult> {
  const wanted = await readLockFile(read.words[0] ?? "");
  const here = await lockHere(read, input);
  const drift = compareLocks(wanted, here);
  const problem = `This machine differs from the lock in ${counted(drift.length, "thing")}.`;
  return {
    data: { lock_id: lockId(wanted), here: lockId(here), differences: drift },
    text: drift.length === 0 ? "This machine equals the lock." : drift.map(differenceText).join("\n"),
    ...(drift.length === 0 ? {} : { exitCode: 12, problem }),
  };
}

async function diff({ words: [from = "", to = ""] }: ReadCommand): Promise<CommandResult> {
  const [before, after] = [await readLockFile(from), await readLockFile(to)];
  const differences = compareLocks(before, after);
  return {
    data: { from: lockId(before), to: lockId(after), differences },
    text: differences.length === 0 ? "The locks are equal." : differences.map(differenceText).join("\n"),
  };
}

async function lockHere({ config, options }: ReadCommand, input: CommandInput): Promise<EnvironmentLock> {
  const folder = resolve(config.applicationFolder ?? ".");
  const weights = options["weights"];
  const running = await askRunning(config.applicationUrl ?? "http://127.0.0.1:8188", input);
  try {
    return await makeLock({
      folder,
      weightFolders: typeof weights === "string" ? weights.split(":").map((each) => resolve(each)) : [],
      python: options["without-python"] === true ? null : { path: await pythonOf(folder, options), env: input.env },
      running,
      memory: join(resolve(config.home), "env", "hashes"),
      blake3: blake3Stream(),
      onProgress: ({ name, bytesRead, bytesTotal }) =>
        void input.redraw(
          `${Math.floor((100 * bytesRead) / Math.max(1, bytesTotal))} % of ${sizeText(bytesTotal)}  ${name}`,
        ),
    });
  } catch (error) {
    const problem = lockProblem(error);
    if (problem === null) throw error;
    throw new UsageProblem([
      `${problem.message}${problem instanceof FileChanged ? " Run this again when nothing writes there." : ""}`,
    ]);
  } finally {
    input.redraw("");
  }
}

async function pythonOf(folder: string, { python }: ReadCommand["options"]): Promise<string> {
  return typeof python === "string" ? python : findPython(folder);
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

const upWaitMs = 2_000;

// Null if none answers there.
async function askRunning(url: string, input: CommandInput): Promise<RunningApplication | null> {
  if (!(await listens(new URL(url)))) return null;
  const log = createLog({ level: "error" });
  const application = openApplication({ url, clock: systemClock, log, clientId: newId<"worker">() });
  try {
    return await runningApplication(application, upWaitMs);
  } catch (error) {
    input.say(
      `The application at ${url} could not be asked: ${error instanceof Error ? error.message : String(error)}`,
    );
    return null;
  } finally {
    await application.close();
  }
}

// Where a connection is refused, there is nothing to wait for.
function listens({ protocol, hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, "");
    const socket = connect({ host, port: Number(port || (protocol === "https:" ? 443 : 80)) });
    const done = (error?: NodeJS.ErrnoException) => {
      socket.destroy();
      resolve(error?.code !== "ECONNREFUSED");
    };
    socket
      .once("connect", () => done())
      .once("error", done)
      .setTimeout(upWaitMs, () => done());
  });
}

async function readLockFile(path: string): Promise<EnvironmentLock> {
  const text = await readFile(path, "utf8").catch(() => {
    throw new UsageProblem([`${path} cannot be read.`]);
  });
  try {
    return readLock(JSON.parse(text));
  } catch (error) {
    throw new UsageProblem([
      `${path}: ${error instanceof SyntaxError ? "This is not JSON." : String((error as Error).message)}`,
    ]);
  }
}
