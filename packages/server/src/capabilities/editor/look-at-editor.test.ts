// What doctor says about the editor: none, one that we did not test, and one whose files are damaged.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { craftZip } from "../../../test/support/craft-zip.ts";
import { installEditor } from "./install-editor.ts";
import { lookAtEditor } from "./look-at-editor.ts";

test("doctor knows whether the editor is installed, tested and whole", async () => {
  const home = await mkdtemp(join(tmpdir(), "doctor-editor-"));
  try {
    assert.match((await lookAtEditor(home)).message, /^not installed/);
    const wheel = join(home, "editor.whl");
    const about = "comfyui_frontend_package-0.1.0.dist-info/METADATA";
    const index = "comfyui_frontend_package/static/index.html";
    await writeFile(
      wheel,
      craftZip([
        { name: about, bytes: "Version: 0.1.0\n" },
        { name: index, bytes: "<p>" },
      ]),
    );
    const { folder } = await installEditor({ home, wheel, installedAt: new Date(0), onProgress: () => undefined });
    const installed = await lookAtEditor(home);
    assert.deepEqual([installed.state, /not a version that we tested/.test(installed.message)], ["warning", true]);
    await writeFile(join(folder, "index.html"), "");
    const damaged = await lookAtEditor(home);
    assert.deepEqual([damaged.state, /1 file is missing or changed/.test(damaged.message)], ["problem", true]);
  } finally {
    await rm(home, { recursive: true });
  }
});
