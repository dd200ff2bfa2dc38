// An export is read as it was signed, or refused with the name of what differs.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import type { ExportTable } from "../../foundation/workspace-holdings.ts";
import { openExport, requireFileName } from "./export-folder.ts";
import { exportSigner, parseFingerprint } from "./export-signature.ts";

const root = await mkdtemp(join(tmpdir(), "atelier-export-folder-"));
after(() => rm(root, { recursive: true, force: true }));

const signer = exportSigner(Buffer.alloc(32, 7));
const table = (name: string): ExportTable => ({ name, rows: () => assert.fail(), restore: "a test" });
const tables = new Map(["workspace", "jobs", "notes"].map((name) => [name, table(name)]));
const expected = { from: signer.fingerprint, schema: 77, tables, lineBytesMax: 65_536 };
const hostile = {
  id: 1,
  text: 'a\u0000b \u2028 \ud800 "\\ \n',
  deep: { __proto__: 1 },
  big: "123456789012345678901234567890",
};
const lists = {
  workspace: '{"id":"w","name":"Ada"}\n',
  jobs: Array.from({ length: 1_203 }, (_, at) => `${JSON.stringify({ ...hostile, at })}\n`).join(""),
  notes: "",
};
const id = "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6";
const manifest = {
  format: 1,
  workspace: { id, name: "Ada" },
  server: { address: "http://127.0.0.1", version: "1.0.0", schema: 77 },
  exported_at: "2026-11-19T00:00:00.000Z",
  moving_to: null,
  open: {},
  micro_credits: "12",
  lists: Object.fromEntries(
    Object.entries(lists).map(([name, text]) => [
      name,
      { rows: text.split("\n").length - 1, sha256: createHash("sha256").update(text).digest("hex") },
    ]),
  ),
  missing: [],
};

async function folderOf(said: object = manifest): Promise<string> {
  const folder = await mkdtemp(join(root, "x-"));
  await mkdir(join(folder, "files"));
  for (const [name, text] of Object.entries(lists)) await writeFile(join(folder, `${name}.jsonl`), text);
  const bytes = Buffer.from(JSON.stringify(said));
  await writeFile(join(folder, "export.json"), bytes);
  await writeFile(join(folder, "export.sig"), JSON.stringify(signer.sign(bytes)));
  return folder;
}

async function readAll(folder: string, wanted = expected): Promise<number> {
  const opened = await openExport(folder, wanted);
  let count = 0;
  for (const name of tables.keys()) for await (const rows of opened.rows(name)) count += rows.length;
  return count;
}

async function flip(path: string): Promise<void> {
  const bytes = await readFile(path);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

test("as it was signed it is read, in batches, with every character", async () => {
  const folder = await folderOf();
  assert.equal(await readAll(folder), 1_204);
  const opened = await openExport(folder, expected);
  const sizes: number[] = [];
  for await (const rows of opened.rows("jobs")) {
    sizes.push(rows.length);
    assert.equal(rows[0]?.["text"], hostile.text);
  }
  assert.deepEqual(sizes, [500, 500, 203]);
});

const changes: Readonly<Record<string, readonly [change: (at: string) => Promise<unknown>, said: RegExp]>> = {
  "one byte of the manifest": [(at) => flip(join(at, "export.json")), /^export\.json is not what export\.sig signs/],
  "one byte of the signature": [(at) => flip(join(at, "export.sig")), /^export\.(json|sig) is not/],
  "no signature": [(at) => rm(join(at, "export.sig")), /^export\.sig is missing/],
  "no manifest": [(at) => rm(join(at, "export.json")), /^export\.json is missing/],
  "one byte of a list": [(at) => flip(join(at, "jobs.jsonl")), /^jobs\.jsonl/],
  "one letter of a list": [
    (at) => writeFile(join(at, "workspace.jsonl"), lists.workspace.replace("Ada", "Eve")),
    /^workspace\.jsonl is not the list that was signed/,
  ],
  "a byte in an empty list": [(at) => writeFile(join(at, "notes.jsonl"), "{}\n"), /^notes\.jsonl is not the list/],
  "a row too many": [(at) => writeFile(join(at, "jobs.jsonl"), `${lists.jobs}{}\n`), /^jobs\.jsonl is not the list/],
  "a list cut off": [
    (at) => truncate(join(at, "jobs.jsonl"), Buffer.byteLength(lists.jobs) - 9),
    /^jobs\.jsonl does not end with/,
  ],
  "a list that is gone": [(at) => rm(join(at, "jobs.jsonl")), /^jobs\.jsonl is missing/],
  "a list too many": [(at) => writeFile(join(at, "more.jsonl"), ""), /^more\.jsonl is not part of the export/],
  "a link instead of a list": [
    async (at) => {
      await rename(join(at, "jobs.jsonl"), join(root, "elsewhere"));
      await symlink(join(root, "elsewhere"), join(at, "jobs.jsonl"));
    },
    /^jobs\.jsonl is not a regular file/,
  ],
  "a link instead of the folder": [
    async (at) => {
      await rm(join(at, "files"), { recursive: true });
      await symlink(root, join(at, "files"));
    },
    /^files is not a folder/,
  ],
  "a line without an end": [
    (at) => writeFile(join(at, "jobs.jsonl"), Buffer.alloc(70_000, "x")),
    /^jobs\.jsonl has a line of more than/,
  ],
  "a line that is no object": [
    (at) => writeFile(join(at, "jobs.jsonl"), "[1]\n"),
    /^jobs\.jsonl, line 1: not an object/,
  ],
};

describe("what was changed is refused by its name", () => {
  for (const [what, [change, said]] of Object.entries(changes))
    test(what, async () => {
      const folder = await folderOf();
      await change(folder);
      await assert.rejects(
        readAll(folder),
        (thrown: Error) => said.test(thrown.message) || assert.fail(thrown.message),
      );
    });
});

const said: Readonly<Record<string, readonly [object, RegExp]>> = {
  "a format of later": [{ ...manifest, format: 2 }, /has the format 2; this server reads format 1/],
  "a newer server": [
    { ...manifest, server: { ...manifest.server, schema: 78 } },
    /newer server \(schema 78, here 77\)/,
  ],
  "a list that nobody knows": [
    { ...manifest, lists: { ...manifest.lists, x: { rows: 0, sha256: "0".repeat(64) } } },
    /no list x/,
  ],
  "a list outside of the folder": [
    { ...manifest, lists: { "../jobs": { rows: 0, sha256: "0".repeat(64) } } },
    /no list \.\.\/jobs/,
  ],
  "an id that is none": [{ ...manifest, workspace: { id: "x", name: "Ada" } }, /names no workspace/],
  "credits without end": [{ ...manifest, micro_credits: "9".repeat(30) }, /does not say what was left/],
  "credits below nothing": [{ ...manifest, micro_credits: "-1" }, /does not say what was left/],
};

describe("what a server signs is checked all the same", () => {
  for (const [what, [text, refusal]] of Object.entries(said))
    test(what, async () => assert.rejects(readAll(await folderOf(text)), refusal));
});

test("the export of another server is refused, and its fingerprint may be copied in any way", async () => {
  const folder = await folderOf();
  const other = exportSigner(Buffer.alloc(32, 8)).fingerprint;
  await assert.rejects(
    readAll(folder, { ...expected, from: other }),
    new RegExp(`signed by ${signer.fingerprint}, and not`),
  );
  const grouped = signer.fingerprint.toUpperCase().replaceAll(/.{4}/g, "$&: ");
  assert.equal(parseFingerprint(grouped), signer.fingerprint);
  for (const wrong of ["", "12", `${signer.fingerprint}0`]) assert.equal(parseFingerprint(wrong), null);
});

test("a file is named by an id and hashed, so no name leaves the folder", () => {
  for (const name of ["../export.json", "a", ""])
    assert.throws(() => requireFileName({ name, hash: "0".repeat(64) }, "assets"), /without an id or a hash/);
  assert.throws(() => requireFileName({ name: id, hash: "x" }, "assets"), /without an id or a hash/);
});
