// `atelier workspace export`, `import` and `signer`: a workspace as a folder, between servers.
import { randomUUID } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { blake3Stream, createBlobs, openBlobs } from "../../capabilities/blobs/index.ts";
import { sharedPool } from "../../capabilities/pools/index.ts";
import { creditsText } from "../../capabilities/prices/index.ts";
import {
  exportSigner,
  type Imported,
  type ImportRequest,
  importWorkspace,
  parseFingerprint,
  writeExport,
} from "../../capabilities/workspace-data/index.ts";
import type { Config } from "../../config.ts";
import { systemClock } from "../../foundation/clock.ts";
import { readMigrations, withConnection } from "../../foundation/database/index.ts";
import { migrationsDirectory } from "../../foundation/database/opening/migrations-directory.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { makeFolder } from "../../foundation/make-folder.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { serverVersion } from "../server-version.ts";
import { workspaceHoldings as holdings } from "../workspace-holdings.ts";
import type { CommandResult } from "./command.ts";
import { type CommandParts, commandLine } from "./within-process.ts";

async function signerOf({ capabilities }: CommandParts) {
  const { keyRing } = await capabilities();
  return exportSigner(keyRing.current("workspace-export").secret);
}

export async function showSigner(parts: CommandParts): Promise<CommandResult> {
  const { fingerprint } = await signerOf(parts);
  return { data: { fingerprint }, text: fingerprint };
}

const latestMigration = async () => (await readMigrations(migrationsDirectory)).at(-1)?.number ?? 0;

// All or nothing: the folder gets its final name once it is complete. One snapshot, so that its lists agree with each other.
export async function exportInto(
  config: Config,
  parts: CommandParts,
  id: WorkspaceId,
  target: string,
): Promise<CommandResult> {
  const { moves } = await parts.capabilities();
  const signer = await signerOf(parts);
  const storage = await openBlobs(config);
  const schema = await latestMigration();
  const part = join(dirname(target), `.${randomUUID()}.part`);
  await makeFolder(dirname(target));
  const about = {
    ...{ folder: part, at: systemClock.now(), moving_to: moves.of(id)?.movedTo ?? null },
    server: { address: config.baseUrl ?? `http://${config.host}:${config.port}`, version: serverVersion, schema },
  };
  const open = async (hash: string) => (await storage.open(hash))?.stream ?? null;
  try {
    const connection = { connection: parts.storage.connection, applicationName: "atelier-export" };
    const { counts, missing } = await withConnection(connection, (database) =>
      database.inTransaction("snapshot", () =>
        writeExport({ database, holdings, open, signer, blake3: blake3Stream() }, id, about),
      ),
    );
    await rename(part, target);
    const lines = Object.entries(counts).map(([name, count]) => `  ${name.padEnd(22)} ${count}`);
    const next = `Read it in at another server: atelier workspace import <folder> --from ${signer.fingerprint}`;
    const warnings = missing.map((file) => `The content of file ${file} is missing.`);
    const data = { folder: target, counts, missing, signer: signer.fingerprint };
    return { data, text: [`✓ ${target}`, ...lines, next].join("\n"), warnings };
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
}

export type WantedImport = Pick<ImportRequest, "folder" | "from" | "isCheck" | "withCredits" | "without">;

export function readImport(folder: string, options: Readonly<Record<string, unknown>>): WantedImport {
  const { from, without, check, credits } = options;
  const fingerprint = typeof from === "string" ? parseFingerprint(from) : null;
  if (fingerprint === null)
    throw new UsageProblem([
      "Pass --from with the fingerprint that the other server shows: atelier workspace signer. It is 64 hexadecimal digits.",
    ]);
  const left = typeof without === "string" ? without.split(",") : [];
  return {
    ...{ folder: resolve(folder), from: fingerprint, isCheck: check === true, withCredits: credits === true },
    without: left.map((name) => name.trim()),
  };
}

// What no export has, by name.
interface Anew {
  readonly keys: string[];
  readonly provider_credentials: string[];
  readonly webhook_endpoints: string[];
}

export async function importFrom(config: Config, parts: CommandParts, wanted: WantedImport): Promise<CommandResult> {
  const { audit } = await parts.capabilities();
  const { database } = parts.storage;
  const blobs = createBlobs({ database, storage: await openBlobs(config), clock: systemClock, log: parts.log });
  const schema = await latestMigration();
  const anew: Anew = { keys: [], provider_credentials: [], webhook_endpoints: [] };
  const connection = { connection: parts.storage.connection, applicationName: "atelier-import" };
  const imported = await withConnection(connection, (single) =>
    importWorkspace(
      {
        ...{ blobs, holdings, audit, schema, blake3: blake3Stream(), clock: systemClock, poolId: sharedPool },
        transaction: (run) => single.inTransaction("read write", () => run(single)),
      },
      {
        ...wanted,
        actor: commandLine.actor,
        see(list, row) {
          if (list === "keys" && row["revoked_at"] === null) anew.keys.push(String(row["name"]));
          if (list === "provider_credentials") anew.provider_credentials.push(String(row["provider"]));
          if (list === "webhook-endpoints") anew.webhook_endpoints.push(String(row["url"]));
        },
      },
    ),
  );
  return shown(imported, wanted, anew);
}

function shown(imported: Imported, { isCheck }: WantedImport, anew: Anew): CommandResult {
  const { manifest, lists, files, bytes, peopleMet, microCredits } = imported;
  const { id, name } = manifest.workspace;
  const there = lists.filter(({ rows }) => rows > 0);
  const lines = there.map(
    ({ name: list, rows, read, why }) =>
      `  ${list.padEnd(22)} ${read === rows ? read : `${read} of ${rows}`}${why === null ? "" : ` (${why})`}`,
  );
  const named = (what: string, names: readonly string[]) =>
    names.length === 0
      ? []
      : [`  ${what.padEnd(22)} ${names.slice(0, 20).join(", ")}${names.length > 20 ? ", …" : ""}`];
  const again = [
    ...named("keys", anew.keys),
    ...named("provider credentials", anew.provider_credentials),
    ...named("secrets of endpoints", anew.webhook_endpoints),
  ];
  const left = creditsText(BigInt(manifest.micro_credits));
  const text = [
    isCheck ? `${id} (${name}) can be imported. Nothing was kept.` : `✓ ${id} (${name}) is here.`,
    ...lines,
    `  ${"files".padEnd(22)} ${files} (${bytes} bytes)`,
    ...(peopleMet > 0 ? [`${peopleMet} of its people were known here and keep their ids.`] : []),
    ...(microCredits > 0n ? [`${isCheck ? "Would be granted" : "Granted"}: ${left} credits.`] : []),
    ...(microCredits === 0n && manifest.micro_credits !== "0"
      ? [`Not granted: ${left} credits, which stay in the other server's books (--credits grants them here).`]
      : []),
    ...(again.length > 0 ? ["To be made again here:", ...again] : []),
    ...(isCheck ? [] : [`Its first key here: atelier keys create moved --workspace ${id}`]),
  ].join("\n");
  const running = Object.entries(manifest.open).map(([what, count]) => `${count} ${what}`);
  const warnings = [
    ...(manifest.moving_to === null
      ? [`It was exported on ${manifest.exported_at} without a move: what was made there since is not in it.`]
      : []),
    ...(running.length > 0 ? [`Still running when it was exported, and not imported: ${running.join(", ")}.`] : []),
  ];
  const data = {
    ...{ id, name, checked_only: isCheck, lists, files, bytes, people_known: peopleMet },
    ...{ credits: creditsText(microCredits), to_make_anew: anew },
  };
  return { data, text, warnings };
}
