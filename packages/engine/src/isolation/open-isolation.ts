// Chooses the level of a process's children when it starts: the strongest that works, found out by trying, or the one that the
// operator demands. A demanded level that does not work stops the start: an operator who asked for a wall must not run without it.
import { randomInt } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownEntry } from "../own-code.ts";
import { SupervisedChild } from "../supervised-child.ts";
import {
  asUser,
  type ChildNeeds,
  type Confinement,
  findBubblewrap,
  inBubblewrap,
  plain,
  withPermissions,
} from "./confinement.ts";
import { type ChildKind, canHold, childKinds, type IsolationLevel, isolationLevels } from "./levels.ts";

export interface LevelOfKind {
  readonly kind: ChildKind;
  readonly level: IsolationLevel;
}

export interface Isolation {
  // The level of each kind of child.
  readonly levels: readonly LevelOfKind[];
  // Why a level that is stronger than one of those is not used.
  readonly refused: readonly { readonly level: IsolationLevel; readonly reason: string }[];
  confine(kind: ChildKind, needs: ChildNeeds): Confinement;
}

export interface IsolationProblem {
  readonly problem: string;
}

// For processes and tests that ask for nothing more.
export const ownProcesses: Isolation = isolationOf(new Set(["process"]), [], []);

// `hidden`: what no child may see, wherever it lies.
export async function openIsolation(
  wanted: IsolationLevel | "auto",
  hidden: readonly string[] = [],
): Promise<Isolation | IsolationProblem> {
  const refused: { level: IsolationLevel; reason: string }[] = [];
  const usable = new Set<IsolationLevel>(["process"]);
  for (const level of candidates(wanted)) {
    const reason = await whyNot(level, hidden);
    if (reason === null) {
      usable.add(level);
      if (childKinds.every((kind) => canHold(level, kind))) break;
    } else if (wanted !== "auto") return { problem: reason };
    else refused.push({ level, reason });
  }
  return isolationOf(usable, refused, hidden);
}

function candidates(wanted: IsolationLevel | "auto"): IsolationLevel[] {
  if (wanted !== "auto") return wanted === "process" ? [] : [wanted];
  return isolationLevels.filter((level) => level !== "process").reverse();
}

function isolationOf(
  usable: ReadonlySet<IsolationLevel>,
  refused: Isolation["refused"],
  hidden: readonly string[],
): Isolation {
  const strongestFirst = isolationLevels.filter((level) => usable.has(level)).reverse();
  const levelOf = (kind: ChildKind) => strongestFirst.find((level) => canHold(level, kind)) ?? "process";
  const levels = childKinds.map((kind) => ({ kind, level: levelOf(kind) }));
  return { levels, refused, confine: (kind, needs) => confinementAt(levelOf(kind), { ...needs, hidden }) };
}

// Above the numbers that systems give to people, services and containers.
const firstUser = 1_900_000_000;
const usersMax = 2 ** 27;

export function confinementAt(level: IsolationLevel, needs: ChildNeeds): Confinement {
  switch (level) {
    case "process":
      return plain(needs);
    case "permissions":
      return withPermissions(needs);
    case "user":
      return asUser(needs, firstUser + randomInt(usersMax));
    case "bubblewrap":
      return inBubblewrap(needs, findBubblewrap() ?? "bwrap");
  }
}

// Null if the level works on this machine.
export async function whyNot(level: IsolationLevel, hidden: readonly string[] = []): Promise<string | null> {
  if (level === "process") return null;
  if (process.platform !== "linux") return "needs Linux";
  if (level === "user" && process.getuid?.() !== 0) return "only root can start processes as other users";
  if (level === "bubblewrap" && findBubblewrap() === null)
    return "bubblewrap is not installed (apt-get install bubblewrap)";
  const folder = await mkdtemp(join(tmpdir(), "atelier-probe-"));
  const canary = join(folder, "canary");
  await writeFile(canary, "a secret", { mode: 0o600 });
  try {
    return await tryLevel(level, canary, hidden);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Seen {
  readonly kind: "seen";
  readonly couldRead: boolean;
  readonly threads: boolean;
}

async function tryLevel(level: IsolationLevel, canary: string, hidden: readonly string[]): Promise<string | null> {
  const entry = ownEntry("./probe-child", import.meta.url);
  const outcome = Promise.withResolvers<string | null>();
  let confinement: Confinement;
  try {
    confinement = confinementAt(level, { entry, hidden });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const child = new SupervisedChild<Seen, object>({
    entry,
    words: [canary],
    nodeFlags: [],
    runtimeMegabytes: 0,
    confinement,
    receive: (seen) => outcome.resolve(judge(level, seen)),
    late: () => outcome.resolve("a child did not start in time"),
    ended: ({ how, output }) => outcome.resolve(`a child did not start: ${lastLine(output) ?? how}`),
  });
  child.hold();
  const reason = await outcome.promise;
  child.kill();
  await child.gone;
  return reason;
}

function judge(level: IsolationLevel, { couldRead, threads }: Seen): string | null {
  if (couldRead) return "a child could read what it must not";
  if (level === "permissions" && threads) return "this Node cannot give up threads (26 or newer can)";
  return null;
}

const lastLine = (text: string): string | undefined => text.trim().split("\n").at(-1) || undefined;
