// The running server of a data folder, as recorded when it was ready: where it listens, its public URLs, and a key created for
// this run. A program that can read the folder can make the server at that URL prove with the key that it is this one. A killed
// server leaves its note behind, and another program may hold the port by now, so nothing secret is sent there on the note's
// word alone.
import { createHmac, randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { jsonOrUndefined } from "../json/foreign-json.ts";
import { isRecord } from "../json/json-record.ts";

export interface ServerNote {
  // Where it listens, as seen from this machine.
  readonly url: string;
  // Its public URL.
  readonly baseUrl: string;
  readonly platformUrl: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly proofKey: string;
}

export const newProofKey = (): string => randomBytes(32).toString("base64url");

// The answer to `GET /health?challenge=…`. It covers the host: a program that relays a challenge to the server would have to
// ask it under a name that is not the server's own, which the server refuses.
export function proofOf(proofKey: string, host: string, challenge: string): string {
  return createHmac("sha256", proofKey)
    .update(`atelier-health\n${host.toLowerCase()}\n${challenge}`)
    .digest("base64url");
}

const fileOf = (home: string): string => join(resolve(home), "server.json");

// Written atomically, readable only by its owner.
export async function writeServerNote(home: string, note: ServerNote): Promise<void> {
  const fresh = `${fileOf(home)}.${process.pid}`;
  const { url, baseUrl, platformUrl, pid, startedAt, proofKey } = note;
  const words = { url, base_url: baseUrl, platform_url: platformUrl, pid, started_at: startedAt, proof_key: proofKey };
  await writeFile(fresh, `${JSON.stringify(words, null, 2)}\n`, { mode: 0o600 });
  await rename(fresh, fileOf(home));
}

// Removes only our own: a server started on the same folder since then has written another.
export async function removeServerNote(home: string, proofKey: string): Promise<void> {
  if ((await readServerNote(home))?.proofKey === proofKey) await rm(fileOf(home), { force: true });
}

export async function readServerNote(home: string): Promise<ServerNote | null> {
  const text = await readFile(fileOf(home), "utf8").catch(() => null);
  const note = text === null ? null : jsonOrUndefined(text);
  if (!isRecord(note)) return null;
  const { url, base_url, platform_url, pid, started_at, proof_key } = note;
  const texts = [url, base_url, platform_url, started_at, proof_key];
  if (!texts.every((each) => typeof each === "string") || !URL.canParse(String(url))) return null;
  return {
    url: String(url),
    baseUrl: String(base_url),
    platformUrl: String(platform_url),
    pid: Number(pid),
    startedAt: String(started_at),
    proofKey: String(proof_key),
  };
}

// The server of the folder, if it answers and proves its identity. Null if none is running.
export async function findRunningServer(home: string): Promise<ServerNote | null> {
  const note = await readServerNote(home);
  if (note === null) return null;
  const challenge = randomBytes(24).toString("base64url");
  try {
    const answer = await fetch(`${note.url}/health?challenge=${challenge}`, {
      signal: AbortSignal.timeout(3_000),
      redirect: "error",
    });
    const body: unknown = await answer.json();
    const proof = typeof body === "object" && body !== null && "proof" in body ? body.proof : null;
    return proof === proofOf(note.proofKey, new URL(note.url).host, challenge) ? note : null;
  } catch {
    return null;
  }
}
