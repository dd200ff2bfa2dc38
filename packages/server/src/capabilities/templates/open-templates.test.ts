// A folder of workflow files as templates: what counts, and what never leaves it.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openTemplates, type TemplateFolder } from "./open-templates.ts";

describe("the operator's templates", () => {
  let folder = "";
  const said: string[] = [];
  const log = { error: (_facts: object, words: string) => void said.push(words) };
  const folders = (path: string | null): readonly TemplateFolder[] =>
    path === null ? [] : [{ source: "operator", path, mayBeAbsent: false }];
  const open = (path: string | null) => openTemplates(folders(path), log as Parameters<typeof openTemplates>[1]);
  const graph = '{"1":{"class_type":"EmptyImage","inputs":{"seed":18446744073709551615}}}';

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "templates-"));
    const files: Readonly<Record<string, string>> = {
      "night-glow.json": graph,
      "night-glow.webp": "a picture",
      "plain_one.json": "{}",
      "plain_one.svg": "<svg/>",
      "list.json": "[]",
      "broken.json": "{",
      ".hidden.json": "{}",
      "notes.txt": "no template",
      "photo.png": "no template either",
    };
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
    await mkdir(join(folder, "folder.json"));
    await writeFile(join(folder, "../outside.json"), "{}");
  });
  after(async () => {
    await rm(folder, { recursive: true });
    await rm(join(folder, "../outside.json"), { force: true });
  });

  test("are the .json files, by name, with a title and with their picture if there is one", async () => {
    const list = await open(folder).list();
    assert.deepEqual(
      list.map(({ name, title, hasPicture }) => [name, title, hasPicture]),
      [
        ["broken", "Broken", false],
        ["folder", "Folder", false],
        ["list", "List", false],
        ["night-glow", "Night glow", true],
        ["plain_one", "Plain one", false],
      ],
    );
  });

  test("keep every digit, and only a JSON object is a workflow", async () => {
    const templates = open(folder);
    assert.equal(Buffer.from((await templates.workflow("night-glow")) ?? "").toString(), graph);
    for (const name of ["list", "broken", "folder", "notes", "photo", ".hidden", "../outside", "night-glow.json"])
      assert.equal(await templates.workflow(name), null, name);
  });

  test("have pictures of known kinds only, and none from outside the folder", async () => {
    const templates = open(folder);
    assert.equal((await templates.picture("night-glow"))?.type, "image/webp");
    for (const name of ["plain_one", "photo", "../outside"]) assert.equal(await templates.picture(name), null, name);
  });

  test("without a folder there are none; a folder that cannot be read is reported, not taken for empty", async () => {
    assert.deepEqual(await open(null).list(), []);
    await assert.rejects(open(join(folder, "missing")).list(), /cannot be read now/);
    assert.deepEqual(said, ["the templates folder cannot be read"]);
  });
});
