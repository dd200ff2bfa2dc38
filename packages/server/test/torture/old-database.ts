// A database of the version before migration 0035, with many calls, some of them open, brought up to date by the real
// command: nothing is lost, open calls end once, a server of the new version says what to do before the migration, and
// one of the old version is refused after it. The old version comes from the repository's history.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finishCalls } from "../../src/capabilities/calls/rounds/finish-store.ts";
import { findWallet } from "../../src/capabilities/calls/shared-sql.ts";
import {
  connectionUrl,
  type Database,
  migrate,
  openDatabase,
  startEmbeddedPostgres,
} from "../../src/foundation/database/index.ts";
import { newId, type WorkspaceId } from "../../src/foundation/ids.ts";
import { allInvariants } from "../../src/processes/invariants.ts";
import { brokenOldInvariants, oldCalls, writeOldCalls } from "../support/old-calls-store.ts";
import { migrationsDirectory } from "../support/test-database.ts";

const root = join(import.meta.dirname, "../../../..");
const oldVersion = 34;

export interface CarryingOver {
  readonly calls: number;
  say(line: string): void;
}

export interface CarriedOver {
  readonly violations: readonly string[];
  // Null if the repository's history is not here.
  readonly refusedOld: string | null;
}

export async function carryOldDatabase({ calls, say }: CarryingOver): Promise<CarriedOver> {
  const home = mkdtempSync(join(tmpdir(), "atelier-old-database-"));
  const postgres = await startEmbeddedPostgres({ dataDir: join(home, "postgres") });
  const url = new URL(connectionUrl(postgres.connection));
  // Filling and checking everything may take a while; the commands keep their own limits.
  const patient = new URL(url);
  patient.searchParams.set("statement_timeout", "300000");
  const database = openDatabase({ connection: patient.href, poolSize: 4 });
  try {
    return await carry({ calls, say, home, url: url.href, database });
  } finally {
    await database.close();
    await postgres.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

interface Carrying extends CarryingOver {
  readonly home: string;
  readonly url: string;
  readonly database: Database;
}

async function carry({ calls, say, home, url, database }: Carrying): Promise<CarriedOver> {
  const violations: string[] = [];
  const requireThat = (isSo: boolean, what: string) => {
    say(`${isSo ? "ok  " : "NOT "} ${what}`);
    if (!isSo) violations.push(what);
  };
  const workspaces = Array.from({ length: 4 }, () => newId<"workspace">());
  const wallets = () => walletsOf(database, workspaces);
  await migrate({ connection: url, directory: migrationsDirectory, upTo: oldVersion });
  await writeOldCalls(database, { workspaces, ownerId: newId(), callCount: calls });
  requireThat((await brokenOldInvariants(database)).length === 0, `the books of ${calls} old calls are whole`);
  const owned = await wallets();

  const early = await atelier(root, home, url, ["serve"]);
  say(early.said);
  requireThat(early.code !== 0 && early.said.includes("Run `atelier migrate`"), "a new server names the command");
  requireThat((await wallets()) === owned, "and has changed nothing");

  const began = performance.now();
  const migrated = await atelier(root, home, url, ["migrate"]);
  say(`${migrated.said} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  requireThat(migrated.code === 0, "the command brings it up to date");
  requireThat((await wallets()) === owned, "every wallet is what it was");
  const again = await atelier(root, home, url, ["migrate"]);
  requireThat(again.code === 0 && again.said.includes("nothing to apply"), "a second time it has nothing to do");
  for (const broken of await brokenInvariants(database)) violations.push(`after the migration: ${broken}`);

  const old = oldServer(home);
  const refused = old === null ? null : await atelier(old, home, url, ["serve"]);
  say(
    refused?.said.split("\n")[0] ?? "the history of the repository is not here: no server of the old version was tried",
  );
  if (refused) {
    const saysWhy = /The database is at version \d+, this program knows only 0034/.test(refused.said);
    requireThat(refused.code !== 0 && saysWhy, "a server of the old version is refused, and says why");
  }

  const ended = await endOpenCalls(database);
  requireThat(ended.first === ended.open && ended.second === 0, `${ended.open} open calls ended, each once`);
  for (const broken of await brokenInvariants(database)) violations.push(`after the open calls ended: ${broken}`);
  return { violations, refusedOld: refused?.said ?? null };
}

async function walletsOf(database: Database, workspaces: readonly WorkspaceId[]): Promise<string> {
  const found = await Promise.all(workspaces.map((id) => findWallet(database, id)));
  return JSON.stringify(found, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}

async function brokenInvariants(database: Database): Promise<string[]> {
  const broken: string[] = [];
  for (const { name, statement } of allInvariants) if ((await database.query(statement)).length > 0) broken.push(name);
  return broken;
}

async function endOpenCalls(database: Database): Promise<{ open: number; first: number; second: number }> {
  const open = (await oldCalls(database)).filter(({ story }) => story < 3);
  const usage = { requestId: null, apiKeyId: null, subject: "model:old/one", status: 200, totalMs: 1, providerMs: 1 };
  const answer = { status: 200, headers: {}, body: Buffer.from("{}") };
  const counts = { open: open.length, first: 0, second: 0 };
  for (let at = 0; at < open.length; at += 200) {
    const endings = open.slice(at, at + 200).map(({ id, workspaceId }) => {
      const call = { id, workspaceId, fence: 1 };
      return { call, state: "finished", outcome: "succeeded", charge: 4n, answer, usage } as const;
    });
    counts.first += (await finishCalls(database, endings)).size;
    counts.second += (await finishCalls(database, endings)).size;
  }
  return counts;
}

// The old sources with the packages that are installed here; our own packages are the old ones.
function oldServer(home: string): string | null {
  const folder = join(home, "old");
  const git = (...words: string[]) => execFileSync("git", words, { cwd: root, maxBuffer: 1 << 30 });
  try {
    const added = [
      "log",
      "--diff-filter=A",
      "--format=%H",
      "--",
      "packages/server/migrations/0035_one_line_per_call.sql",
    ];
    const commit = git(...added)
      .toString()
      .trim();
    if (!/^[0-9a-f]{40}$/.test(commit)) return null;
    const sources = git("archive", `${commit}^`);
    mkdirSync(folder);
    execFileSync("tar", ["-x", "-C", folder], { input: sources });
  } catch {
    return null;
  }
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@atelier"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== "@atelier") symlinkSync(join(root, "node_modules", name), join(modules, name));
  for (const name of readdirSync(join(folder, "packages")))
    if (existsSync(join(folder, "packages", name, "package.json")))
      symlinkSync(join(folder, "packages", name), join(modules, "@atelier", name));
  return folder;
}

// Runs the real program until it ends. One that keeps serving is ended after a while, and has no exit code.
function atelier(
  folder: string,
  home: string,
  url: string,
  words: readonly string[],
): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [join(folder, "packages/cli/bin/atelier.mjs"), ...words], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      DATABASE_URL: url,
      ATELIER_HOME: join(home, "home"),
      ATELIER_PORT: "0",
      ATELIER_CONTENT_PORT: "0",
      ATELIER_SANDBOX: "off",
      ATELIER_LOG_LEVEL: "error",
      ATELIER_MIGRATE: "manual",
    },
  });
  return new Promise((resolve) => {
    let said = "";
    const hear = (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-4_000);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    const giveUp = setTimeout(() => child.kill("SIGKILL"), 180_000);
    child.once("close", (code) => {
      clearTimeout(giveUp);
      resolve({ code, said: said.trim() });
    });
  });
}
