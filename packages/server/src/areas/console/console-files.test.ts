import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { brotliCompressSync, gunzipSync } from "node:zlib";
import { readConsoleFiles } from "./console-files.ts";

test("a file that is kept as Brotli is also served plain and as gzip, one that is kept plain only so", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-console-files-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const script = "export const word = 'again';\n".repeat(50);
  writeFileSync(join(folder, "index.html"), "<script>start()</script>");
  writeFileSync(join(folder, "page-1.js.br"), brotliCompressSync(script));
  writeFileSync(join(folder, "type.woff2"), "font");
  const { files, scriptHashes } = await readConsoleFiles(folder);
  assert.deepEqual([...files.keys()].sort(), ["page-1.js", "type.woff2"]);
  assert.equal(scriptHashes.length, 1);
  const page = files.get("page-1.js");
  assert.equal(page?.plain.toString(), script);
  assert.equal(gunzipSync((await page?.gzip()) ?? "").toString(), script);
  assert.equal(await page?.gzip(), await page?.gzip(), "made once");
  const font = files.get("type.woff2");
  assert.deepEqual([font?.brotli, await font?.gzip()], [null, null]);
});
