// A wheel like the editor's, small and made here: the page, a script and a picture. Enough for everything but the editor itself.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installEditor } from "../../src/capabilities/editor/index.ts";
import { craftZip } from "./craft-zip.ts";

const inside = "comfyui_frontend_package/static";
export const tinyScript = `// A script of the tiny editor.\n${"export const nothing = 0;\n".repeat(100)}`;
export const tinyPage = `<!doctype html><script>var inline = 1;</script><script type="module" src="./assets/app-Ab12Cd34.js"></script>`;

export async function installTinyEditor(home: string): Promise<void> {
  const wheel = join(home, "tiny.whl");
  const files: Readonly<Record<string, string>> = {
    "comfyui_frontend_package-0.0.1.dist-info/METADATA": "Name: comfyui_frontend_package\nVersion: 0.0.1\n",
    [`${inside}/index.html`]: tinyPage,
    [`${inside}/assets/app-Ab12Cd34.js`]: tinyScript,
    [`${inside}/assets/images/logo.svg`]: "<svg/>",
  };
  await writeFile(wheel, craftZip(Object.entries(files).map(([name, bytes]) => ({ name, bytes }))));
  await installEditor({ home, wheel, installedAt: new Date(), onProgress: () => undefined });
}
