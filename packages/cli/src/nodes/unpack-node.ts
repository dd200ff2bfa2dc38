// Unpacks an untrusted archive: nothing leaves the folder, nothing is a link, nothing is larger than it says, and the folder
// appears under its name only when everything is there. One bad entry rejects the whole archive.
import { createWriteStream, existsSync, openAsBlob } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { blake3OfBlob } from "@atelier/sdk/blake3";
import type { Entry, ZipFile } from "yauzl";
import { makeFolder } from "../files/output-path.ts";
import { beginUnfinished } from "../files/unfinished.ts";
import { uniqueName } from "../files/unique-name.ts";
import { ClientProblem } from "../server/client-problem.ts";

const entriesMax = 20_000;
const packedBytesMax = 1024 ** 3;
const unpackedBytesMax = 4 * 1024 ** 3;

interface Unpacked {
  readonly folder: string;
  readonly files: number;
}

// `hash`: the registry's hash of the archive, as blake3: and 64 hexadecimal digits.
export async function unpackNode(
  body: ReadableStream<Uint8Array> | null,
  target: string,
  hash?: string,
): Promise<Unpacked> {
  if (existsSync(target)) throw refused("usage", `${target} already exists.`, "remove it first, or choose another -o");
  const part = join(dirname(target), `.${uniqueName()}.part`);
  const archive = `${part}.zip`;
  const areFinished = [part, archive].map(beginUnfinished);
  try {
    makeFolder(part);
    await pipeline(Readable.fromWeb(body ?? new ReadableStream()), counted(packedBytesMax), createWriteStream(archive));
    if (hash?.startsWith("blake3:") && hash !== `blake3:${await blake3OfBlob(await openAsBlob(archive))}`)
      throw refused("rejected_input", "This is not the archive that was published: its hash does not match.");
    const files = await unpackInto(archive, part);
    await rename(part, target);
    return { folder: target, files };
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(archive, { force: true });
    for (const isFinished of areFinished) isFinished();
  }
}

async function unpackInto(archive: string, folder: string): Promise<number> {
  const { default: yauzl } = await import("yauzl");
  const zip = await yauzl.openPromise(archive, { lazyEntries: true, autoClose: false }).catch((error: unknown) => {
    throw refused(
      "rejected_input",
      `Not a valid archive: ${(error instanceof Error ? error.message : String(error)).replace(/\.$/, "")}.`,
    );
  });
  try {
    if (zip.entryCount > entriesMax)
      throw refused("rejected_input", `The archive has more than ${entriesMax} entries.`);
    const entries: Entry[] = [];
    try {
      for await (const entry of zip.eachEntry()) entries.push(entry);
    } catch (error) {
      throw refused("rejected_input", `The archive is not safe: ${error instanceof Error ? error.message : error}.`);
    }
    requireSafe(entries);
    let files = 0;
    for (const entry of entries) {
      const path = join(folder, entry.fileName);
      if (entry.fileName.endsWith("/")) {
        await mkdir(path, { recursive: true });
        continue;
      }
      await mkdir(dirname(path), { recursive: true });
      await writeEntry(zip, entry, path);
      files++;
    }
    return files;
  } finally {
    zip.close();
  }
}

async function writeEntry(zip: ZipFile, entry: Entry, path: string): Promise<void> {
  const sum = { value: 0 };
  const summing = new Transform({
    transform(piece: Buffer, _encoding, done) {
      sum.value = crc32(piece, sum.value);
      done(null, piece);
    },
  });
  try {
    await pipeline(await zip.openReadStreamPromise(entry), summing, createWriteStream(path, { flags: "wx" }));
  } catch (error) {
    throw refused(
      "rejected_input",
      `${entry.fileName} cannot be unpacked: ${error instanceof Error ? error.message : error}.`,
    );
  }
  if (sum.value !== entry.crc32) throw refused("rejected_input", `${entry.fileName} is damaged.`);
}

// Checks all of them before the first byte is written.
function requireSafe(entries: readonly Entry[]): void {
  const unpacked = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (unpacked > unpackedBytesMax) throw refused("rejected_input", "The archive unpacks to more than 4 GiB.");
  const names = new Set<string>();
  for (const entry of entries) {
    const problem = problemOfName(entry.fileName) ?? problemOfKind(entry);
    if (problem !== null)
      throw refused("rejected_input", `The archive is not safe: ${JSON.stringify(entry.fileName)} ${problem}.`);
    const folded = entry.fileName.replace(/\/$/, "").normalize("NFC").toLowerCase();
    if (names.has(folded)) throw refused("rejected_input", `The archive contains ${entry.fileName} twice.`);
    names.add(folded);
  }
}

// A name that is a drive, a stream or a device on one system is refused on all.
function problemOfName(name: string): string | null {
  const parts = name.replace(/\/$/, "").split("/");
  if (/^[/\\]|^[A-Za-z]:/.test(name)) return "is absolute";
  if (parts.includes("..")) return "points outside the folder";
  if (parts.some((part) => part === "" || part === ".")) return "has an empty part";
  if (/[\p{Cc}\\:]/u.test(name)) return "contains forbidden characters";
  if (parts.some((part) => /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i.test(part)))
    return "is a device name on some systems";
  return parts.some((part) => /[. ]$/.test(part)) ? "ends in a dot or a space" : null;
}

const kindOfFile = 0o170000;

function problemOfKind(entry: Entry): string | null {
  const kind = (entry.externalFileAttributes >>> 16) & kindOfFile;
  if ((entry.generalPurposeBitFlag & 1) === 1) return "is encrypted";
  return kind === 0 || kind === 0o100000 || kind === 0o040000 ? null : "is a link or a device";
}

function counted(most: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      if (bytes > most) done(refused("rejected_input", "The archive is larger than 1 GiB."));
      else done(null, piece);
    },
  });
}

function refused(kind: "usage" | "rejected_input", message: string, hint?: string): ClientProblem {
  return new ClientProblem(kind, kind, message, hint === undefined ? {} : { hint });
}
