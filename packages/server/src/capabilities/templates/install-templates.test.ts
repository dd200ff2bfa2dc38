// Templates from wheels: what is taken, what is left out, and that an install that fails leaves the one before.
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { craftZip } from "../../../test/support/craft-zip.ts";
import { installTemplates } from "./install-templates.ts";
import { openTemplates, templateFolders } from "./open-templates.ts";

const at = new Date("2026-11-18T08:00:00Z");
const graph = '{"1":{"class_type":"EmptyImage","inputs":{"seed":18446744073709551615}}}';
const list = [{ title: "Image", templates: [{ name: "fox", title: "A fox", description: "Red", tags: ["API", 7] }] }];

describe("installing templates", () => {
  let home = "";
  before(async () => {
    home = await mkdtemp(join(tmpdir(), "install-templates-"));
  });
  after(() => rm(home, { recursive: true }));

  async function wheel(name: string, files: Readonly<Record<string, string>>): Promise<string> {
    const path = join(home, name);
    const parts = Object.entries(files).map(([file, text]) => ({ name: file, bytes: text }));
    await writeFile(path, craftZip(parts));
    return path;
  }

  const install = (wheels: readonly string[]) =>
    installTemplates({
      folder: join(home, "templates"),
      wheels,
      installedAt: at,
      shrink: async (bytes) => (Buffer.from(bytes).toString() === "a picture" ? Buffer.from("small") : null),
      onProgress: () => undefined,
    });
  const log = { error: assert.fail };
  const open = () => openTemplates(templateFolders(home, null), log as unknown as Parameters<typeof openTemplates>[1]);

  test("none before; then each workflow byte for byte, the first picture made small, and the package's words", async () => {
    assert.deepEqual(await open().list(), []);
    const json = await wheel("comfyui_workflow_templates_json-0.1.1-py3-none-any.whl", {
      "package/templates/index.json": JSON.stringify(list),
      "package/templates/index.de.json": JSON.stringify(list),
      "package/templates/fox.json": graph,
      "package/templates/no_workflow.json": '{"a":1}',
      "package/templates/broken.json": "{",
      "package/templates/deeper/other.json": graph,
      "package/templates/.hidden.json": graph,
    });
    const media = await wheel("comfyui_workflow_templates_media-0.1.2-py3-none-any.whl", {
      "package/templates/fox-1.webp": "a picture",
      "package/templates/fox-2.webp": "another picture",
      "package/templates/stranger-1.webp": "a picture",
    });
    const whole = await wheel("comfyui_workflow_templates-0.9.1-py3-none-any.whl", { "package/__init__.py": "" });
    assert.deepEqual(await install([whole, json, media]), { version: "0.9.1", workflows: 1, pictures: 1 });
    assert.deepEqual((await readdir(join(home, "templates"))).sort(), ["fox.json", "fox.webp", "index.json"]);
    assert.equal(await readFile(join(home, "templates/fox.json"), "utf8"), graph);
    const [fox, ...others] = await open().list("installed");
    assert.deepEqual(others, []);
    assert.deepEqual(
      [fox?.name, fox?.title, fox?.description, fox?.category, fox?.tags, fox?.hasPicture, fox?.facts?.classes],
      ["fox", "A fox", "Red", "Image", ["API"], true, ["EmptyImage"]],
    );
  });

  test("a file that is no wheel, or has no templates, is refused, and what was installed stays", async () => {
    const before = await open().list();
    assert.equal(before.length, 1);
    const empty = await wheel("empty.whl", { "package/readme.md": "nothing" });
    await assert.rejects(install([empty]), /has templates/);
    await writeFile(join(home, "no.whl"), "no zip");
    await assert.rejects(install([join(home, "no.whl")]), /is not a wheel/);
    assert.deepEqual(await open().list(), before);
    assert.deepEqual(
      (await readdir(home)).filter((name) => name.endsWith(".part")),
      [],
    );
  });

  test("a path that leads out of the archive writes nothing outside", async () => {
    const bad = await wheel("bad.whl", {
      "package/templates/../../../out.json": graph,
      "package/templates/in.json": graph,
    });
    await install([bad]).catch(() => undefined);
    assert.equal((await readdir(join(home, ".."))).includes("out.json"), false);
    for (const { name } of await open().list()) assert.notEqual(name, "out");
  });

  test("a file in the operator's folder replaces an installed one of the same name", async () => {
    const own = await mkdtemp(join(tmpdir(), "own-templates-"));
    await writeFile(join(own, "fox.json"), graph);
    await install([await wheel("again.whl", { "p/templates/fox.json": graph, "p/templates/owl.json": graph })]);
    const both = openTemplates(templateFolders(home, own), log as unknown as Parameters<typeof openTemplates>[1]);
    assert.deepEqual(
      (await both.list()).map(({ name, source }) => [name, source]),
      [
        ["fox", "operator"],
        ["owl", "installed"],
      ],
    );
    await rm(own, { recursive: true });
  });
});
