// The editor from its wheel: what is unpacked, what is refused, and that a refusal leaves the one before.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { craftZip, type ZipPart } from "../../../test/support/craft-zip.ts";
import { installEditor, removeEditor } from "./install-editor.ts";
import { openEditor } from "./installed-editor.ts";
import { newestTested, trialOf } from "./tested-versions.ts";

const inside = "comfyui_frontend_package/static";
const about = (version: string): ZipPart => ({
  name: `comfyui_frontend_package-${version}.dist-info/METADATA`,
  bytes: `Metadata-Version: 2.4\nName: comfyui_frontend_package\nVersion: ${version}\n`,
});
const index: ZipPart = { name: `${inside}/index.html`, bytes: "<!doctype html>" };
const script = "console.log(1);".repeat(200);

describe("installing the editor", () => {
  let home = "";
  before(async () => {
    home = await mkdtemp(join(tmpdir(), "install-editor-"));
  });
  after(() => rm(home, { recursive: true }));

  let wheels = 0;
  async function install(parts: readonly ZipPart[] | string) {
    wheels += 1;
    const wheel = join(home, `${wheels}.whl`);
    await writeFile(wheel, typeof parts === "string" ? parts : craftZip(parts));
    const installedAt = new Date(1_800_000_000_000 + wheels);
    return installEditor({ home, wheel, installedAt, onProgress: () => undefined });
  }

  test("unpacks the static files byte for byte, packs the large ones, and leaves everything else", async () => {
    const editor = openEditor(home);
    assert.equal(await editor.current(), null);
    const report = await install([
      about("0.1.0"),
      index,
      { name: `${inside}/assets/app-Ab12Cd34.js`, bytes: script },
      { name: "comfyui_frontend_package/__init__.py", bytes: "print()" },
    ]);
    assert.deepEqual([report.version, report.isTested, report.files], ["0.1.0", false, 2]);
    const installed = await editor.current();
    assert.deepEqual([...(installed?.files.keys() ?? [])], ["index.html", "assets/app-Ab12Cd34.js"]);
    const folder = installed?.folder ?? "";
    assert.equal(await readFile(join(folder, "assets/app-Ab12Cd34.js"), "utf8"), script);
    assert.equal(gunzipSync(await readFile(join(folder, "assets/app-Ab12Cd34.js.gz"))).toString(), script);
    assert.equal(installed?.files.get("index.html")?.packed, null);
    assert.deepEqual((await readdir(folder)).sort(), ["assets", "index.html"]);
  });

  test("a wheel that is none, climbs, lies, repeats or swells is refused, and the installed one stays", async () => {
    const before = await openEditor(home).current();
    const bad: readonly (readonly [readonly ZipPart[] | string, RegExp])[] = [
      ["no zip", /is not a wheel/],
      [[{ name: "other/METADATA", bytes: "Version: 1" }, index], /is not a wheel of the editor/],
      [[about("0.2.0"), { name: `${inside}/assets/a.js`, bytes: "1" }], /index\.html is missing/],
      [[about("0.2.0"), index, { name: `${inside}/../../../climbs.js`, bytes: "1" }], /not a wheel|unsafe path/],
      [[about("0.2.0"), index, { name: `${inside}/a b.js`, bytes: "1" }], /unsafe path/],
      [[about("0.2.0"), index, { name: `${inside}/.hidden`, bytes: "1" }], /unsafe path/],
      [[about("0.2.0"), index, index], /two files of the same path/],
      [
        [about("0.2.0"), index, { name: `${inside}/big.js`, bytes: "1", unpackedBytes: 2 ** 31 }],
        /more than|not a wheel/,
      ],
      [
        [about("0.2.0"), index, { name: `${inside}/lies.js`, bytes: script, unpackedBytes: 10 }],
        /not a wheel|cannot be/,
      ],
      [[about(newestTested), index], /not those of version/],
    ];
    for (const [parts, words] of bad) await assert.rejects(install(parts), words);
    assert.deepEqual(await openEditor(home).current(), before);
    const left = await readdir(join(home, "editor"));
    assert.equal(left.length, 2, left.join());
    assert.equal((await readdir(join(home, ".."))).includes("climbs.js"), false);
  });

  test("another version replaces the one before for a server that runs", async () => {
    const editor = openEditor(home);
    const before = await editor.current();
    await install([about("0.3.0"), index, { name: `${inside}/assets/b.js`, bytes: script }]);
    const now = await editor.current();
    assert.deepEqual([before?.version, now?.version], ["0.1.0", "0.3.0"]);
    assert.equal((await readdir(join(home, "editor"))).length, 2);
  });

  test("removing it removes everything, and a second removal says that there was none", async () => {
    assert.equal(await removeEditor(home), true);
    assert.equal(await openEditor(home).current(), null);
    assert.equal((await readdir(home)).includes("editor"), false);
    assert.equal(await removeEditor(home), false);
  });

  test("a hash decides whether a version is the one that we tested", () => {
    const hash = createHash("sha256").update("a wheel").digest("hex");
    const tested = new Map([["2.0.0", hash]]);
    assert.equal(trialOf("2.0.0", hash, tested), "tested");
    assert.equal(trialOf("2.0.0", hash.replace(/^./, "z"), tested), "altered");
    assert.equal(trialOf("2.0.1", hash, tested), "not_tested");
  });
});
