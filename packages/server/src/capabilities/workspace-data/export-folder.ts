// An export as a folder, read with suspicion: only regular files, nothing missing and nothing more, lines of bounded length, and
// every list against its hash each time it is read.
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, opendir, open as openPath, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../foundation/fault.ts";
import { isUuid } from "../../foundation/ids.ts";
import { jsonOrUndefined } from "../../foundation/json/foreign-json.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import type { ExportedFile, ExportRow, ExportTable } from "../../foundation/workspace-holdings.ts";
import {
  type ExportManifest,
  filesName,
  listFile,
  manifestName,
  readManifest,
  signatureName,
} from "./export-manifest.ts";
import { type ExportSignature, signedBy } from "./export-signature.ts";

export interface OpenedExport {
  readonly manifest: ExportManifest;
  // The rows of a list in batches. Throws at its end if it is not the list that was signed.
  rows(name: string): AsyncGenerator<readonly ExportRow[]>;
  // The caller closes it.
  openFile(file: ExportedFile): Promise<FileHandle>;
  isMissing(name: string): boolean;
}

export interface ExpectedExport {
  // The fingerprint that was compared.
  readonly from: string;
  // The latest migration of this server.
  readonly schema: number;
  readonly tables: ReadonlyMap<string, ExportTable>;
  readonly lineBytesMax?: number;
}

const manifestBytesMax = 64 * 1024 * 1024;
// The longest row is a file of the editor, in base64.
const longestLine = 64 * 1024 * 1024;
const batchRows = 500;
const batchBytes = 4 * 1024 * 1024;

// Throws validation_failed, with the name of what is wrong.
export async function openExport(folder: string, expected: ExpectedExport): Promise<OpenedExport> {
  const bytes = await readSmall(join(folder, manifestName), manifestName);
  const signature = readSignature(await readSmall(join(folder, signatureName), signatureName));
  const signer = signedBy(bytes, signature);
  if (signer === null) throw wrong(`${manifestName} is not what ${signatureName} signs`);
  if (signer !== expected.from)
    throw wrong(
      `The export is signed by ${signer}, and not by ${expected.from}. Ask the other server: atelier workspace signer`,
    );
  const manifest = readManifest(bytes.toString("utf8"));
  if (manifest.server.schema > expected.schema)
    throw wrong(
      `The export is of a newer server (schema ${manifest.server.schema}, here ${expected.schema}). Upgrade this one first`,
    );
  const unknown = Object.keys(manifest.lists).filter((name) => !expected.tables.has(name));
  if (unknown.length > 0) throw wrong(`This server knows no list ${unknown.join(", ")}`);
  await requireOnly(folder, manifest);
  const missing = new Set(manifest.missing);
  return {
    manifest,
    rows: (name) => readRows(folder, name, { ...manifest, lineBytesMax: expected.lineBytesMax ?? longestLine }),
    openFile: ({ name }) => openRegular(join(folder, filesName, name), `${filesName}/${name}`),
    isMissing: (name) => missing.has(name),
  };
}

async function requireOnly(folder: string, { lists }: ExportManifest): Promise<void> {
  const expected = new Set([manifestName, signatureName, filesName, ...Object.keys(lists).map(listFile)]);
  const found = await readdir(folder, { withFileTypes: true });
  for (const entry of found) {
    if (!expected.delete(entry.name)) throw wrong(`${entry.name} is not part of the export`);
    if (!(entry.name === filesName ? entry.isDirectory() : entry.isFile()))
      throw wrong(`${entry.name} is not a ${entry.name === filesName ? "folder" : "regular file"}`);
  }
  const [lacking] = expected;
  if (lacking !== undefined) throw wrong(`${lacking} is missing`);
}

// All that the lists name were found before, so only more of them can be wrong. Their names are gathered for the message alone.
export async function requireNoOtherFiles(folder: string, expected: number, names: () => Promise<ReadonlySet<string>>) {
  let count = 0;
  for await (const _ of await opendir(join(folder, filesName))) count++;
  if (count === expected) return;
  const listed = await names();
  for await (const { name } of await opendir(join(folder, filesName)))
    if (!listed.has(name)) throw wrong(`${filesName}/${name} is not part of the export`);
}

async function* readRows(
  folder: string,
  name: string,
  { lists, lineBytesMax }: Pick<ExportManifest, "lists"> & { readonly lineBytesMax: number },
): AsyncGenerator<readonly ExportRow[]> {
  const file = listFile(name);
  const wanted = lists[name];
  if (wanted === undefined) return;
  const hash = createHash("sha256");
  const handle = await openRegular(join(folder, file), file);
  let count = 0;
  try {
    let [rows, bytes]: [ExportRow[], number] = [[], 0];
    for await (const line of linesOf(handle, { file, lineBytesMax }, hash)) {
      rows.push(rowOf(line, `${file}, line ${++count}`));
      bytes += line.length;
      if (rows.length < batchRows && bytes < batchBytes) continue;
      yield rows;
      [rows, bytes] = [[], 0];
    }
    if (rows.length > 0) yield rows;
  } finally {
    await handle.close();
  }
  if (count !== wanted.rows || hash.digest("hex") !== wanted.sha256)
    throw wrong(`${file} is not the list that was signed (${wanted.rows} rows)`);
}

async function* linesOf(
  handle: FileHandle,
  { file, lineBytesMax }: { readonly file: string; readonly lineBytesMax: number },
  hash: { update(bytes: Buffer): unknown },
) {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of handle.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 })) {
    const bytes: Buffer = chunk;
    hash.update(bytes);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      yield Buffer.concat([...parts, bytes.subarray(from, end)]).toString("utf8");
      [parts, length, from] = [[], 0, end + 1];
    }
    const rest = bytes.subarray(from);
    length += rest.byteLength;
    if (length > lineBytesMax) throw wrong(`${file} has a line of more than ${lineBytesMax} bytes`);
    if (rest.byteLength > 0) parts.push(Buffer.from(rest));
  }
  if (length > 0) throw wrong(`${file} does not end with a whole line`);
}

function rowOf(line: string, where: string): ExportRow {
  const row = jsonOrUndefined(line);
  if (!isRecord(row)) throw wrong(`${where}: not an object`);
  return row;
}

function readSignature(bytes: Buffer): ExportSignature {
  const read = jsonOrUndefined(bytes);
  const { algorithm, public_key, signature } = isRecord(read) ? read : {};
  if (algorithm !== "ed25519" || typeof public_key !== "string" || typeof signature !== "string")
    throw wrong(`${signatureName} is not a signature`);
  return { algorithm, public_key, signature };
}

async function readSmall(path: string, name: string): Promise<Buffer> {
  const handle = await openRegular(path, name);
  try {
    const { size } = await handle.stat();
    if (size > manifestBytesMax) throw wrong(`${name} is too large`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

// Not through a link, and not from a pipe or a device.
async function openRegular(path: string, name: string): Promise<FileHandle> {
  const handle = await openPath(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (thrown: unknown) => {
      const code = thrown instanceof Error && "code" in thrown ? thrown.code : null;
      if (code === "ENOENT" || code === "ENOTDIR") throw wrong(`${name} is missing`);
      if (code === "ELOOP") throw wrong(`${name} is a link`);
      throw thrown;
    },
  );
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw wrong(`${name} is not a regular file`);
}

export function requireFileName({ name, hash }: ExportedFile, list: string): void {
  if (!isUuid(name) || !/^[0-9a-f]{64}$/.test(hash)) throw wrong(`The list ${list} has a file without an id or a hash`);
}

const wrong = (what: string) => new Fault("validation_failed", `${what}.`);
