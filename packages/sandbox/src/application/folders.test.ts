import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { Folders } from "./folders.ts";

async function withFolders(act: (folders: Folders, home: string) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), "atelier-folders-"));
  try {
    const folders = new Folders(home);
    await folders.open();
    await act(folders, home);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

const bytes = Buffer.from("a picture");

test("no name leads out of its folder", () => {
  const folders = new Folders("/somewhere/home");
  const parts = fc.array(fc.constantFrom("..", ".", "a", "/", "\\", "", "\0", "%2e", "x.png"), { maxLength: 6 });
  fc.assert(
    fc.property(parts, parts, (above, below) => {
      const path = folders.path("input", above.join("/"), below.join("/"));
      assert.ok(path === null || path.startsWith(`/somewhere/home/input${sep}`), String(path));
    }),
  );
});

test("file counters continue from the files on disk, after a restart too", () =>
  withFolders(async (folders, home) => {
    const save = (from: Folders) => from.save("output", { prefix: "a/pre", extension: "png" }, { bytes });
    assert.deepEqual(await save(folders), { filename: "pre_00001_.png", subfolder: "a", type: "output" });
    const together = await Promise.all([save(folders), save(folders)]);
    assert.deepEqual(together.map((file) => file?.filename).toSorted(), ["pre_00002_.png", "pre_00003_.png"]);
    const restarted = new Folders(home);
    await restarted.open();
    assert.equal((await save(restarted))?.filename, "pre_00004_.png");
    assert.deepEqual(await readFile(join(home, "output/a/pre_00004_.png")), bytes);
  }));

test("an upload keeps its name for the same bytes or with overwrite, and is numbered otherwise", () =>
  withFolders(async (folders, home) => {
    const naming = { subfolder: "", filename: "in.png", overwrite: false };
    const name = async (content: Buffer, overwrite = false) =>
      (await folders.upload("input", { ...naming, overwrite }, content))?.filename;
    const other = Buffer.from("another");
    assert.deepEqual([await name(bytes), await name(bytes), await name(other)], ["in.png", "in.png", "in (1).png"]);
    assert.equal(await name(other), "in (1).png");
    assert.equal(await name(other, true), "in.png");
    assert.deepEqual(await readFile(join(home, "input/in.png")), other);
    assert.equal(await folders.upload("input", { ...naming, subfolder: "../.." }, bytes), null);
  }));

test("a loader finds a file by name, by subfolder and by annotated folder; a start empties only temp", () =>
  withFolders(async (folders) => {
    await folders.upload("input", { subfolder: "sub", filename: "in.png", overwrite: false }, bytes);
    const saved = await folders.save("output", { prefix: "pre", extension: "png" }, { bytes });
    const shown = await folders.save("temp", { prefix: "pre", extension: "png" }, { bytes });
    assert.equal(folders.isFile("sub/in.png"), true);
    assert.equal(folders.isFile(`${saved?.filename} [output]`), true);
    assert.equal(folders.isFile(`${shown?.filename} [temp]`), true);
    assert.equal(folders.isFile(`${saved?.filename}`), false);
    assert.equal(folders.isFile("sub"), false);
    await folders.open();
    assert.equal(folders.isFile(`${shown?.filename} [temp]`), false);
    assert.equal(folders.isFile(`${saved?.filename} [output]`), true);
  }));
