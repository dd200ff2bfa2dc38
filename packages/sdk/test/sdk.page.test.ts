// The built SDK in a real browser, on a page of another origin, as a web application uses it: no bundler, no polyfill.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join, normalize } from "node:path";
import { after, before, describe, test } from "node:test";
import { browse, skip } from "../../server/test/pages/support/browser.ts";
import { type TestApp, testApp } from "../../server/test/support/test-app.ts";
import { coreBytes } from "./support/core-bytes.ts";

const root = join(import.meta.dirname, "../../..");
const built = join(import.meta.dirname, "../dist");

const page = `<!doctype html><title>SDK</title>
<script type="importmap">{"imports":{"@atelier/sdk":"/dist/index.js","@atelier/sdk/blake3":"/dist/blake3.js"}}</script>
<script type="module">
  import { Atelier, GraphFile } from "@atelier/sdk";
  window.runJob = async (baseUrl, apiKey) => {
    const atelier = new Atelier({ baseUrl, apiKey });
    const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 30 });
    const drawing = canvas.getContext("2d");
    drawing.fillStyle = "#ff00ff";
    drawing.fillRect(0, 0, 40, 30);
    const picture = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    const types = [];
    const job = await atelier.jobs.run({
      1: { class_type: "LoadImage", inputs: { image: new GraphFile(picture, { filePath: "canvas.png" }) } },
      2: { class_type: "ImageInvert", inputs: { image: ["1", 0] } },
      3: { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "page" } },
    }, { onEvent: (event) => types.push(event.type) });
    const bitmap = await createImageBitmap(new Blob([await atelier.jobs.download(job.outputs[0])]));
    drawing.drawImage(bitmap, 0, 0);
    return { status: job.status, types, pixel: [...drawing.getImageData(5, 5, 1, 1).data] };
  };
  window.isReady = true;
</script>`;

describe("the SDK in a browser", { skip, timeout: 900_000 }, () => {
  let site: Server;
  let app: TestApp;
  let origin = "";

  before(async () => {
    execFileSync(process.execPath, [join(root, "scripts/build.mjs"), "sdk"], { stdio: "pipe", timeout: 900_000 });
    site = createServer((request, response) => {
      const path = normalize(new URL(request.url ?? "/", "http://x").pathname);
      if (!path.startsWith("/dist/")) return response.writeHead(200, { "content-type": "text/html" }).end(page);
      const type = { "content-type": "text/javascript" };
      return response.writeHead(200, type).end(readFileSync(join(built, path.slice("/dist/".length))));
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    const address = site.address();
    origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    app = await testApp({ env: { ATELIER_CORS_ORIGINS: origin } });
  });
  after(async () => {
    site.close();
    await app.close();
  });

  test("a page of an allowed origin uploads a canvas, follows a job and draws its output", async () => {
    const browsing = await browse(origin);
    try {
      await browsing.page.goto(origin);
      await browsing.page.waitForFunction("window.isReady === true");
      const words = JSON.stringify([app.baseUrl, app.key]);
      const { status, types, pixel } = await browsing.page.evaluate<{
        status: string;
        types: string[];
        pixel: number[];
      }>(`window.runJob(...${words})`);
      assert.equal(status, "succeeded");
      assert.ok(types.includes("output") && types.at(-1) === "status", types.join(" "));
      assert.deepEqual(pixel, [0, 255, 0, 255]);
    } finally {
      await browsing.close();
    }
  });

  test("the core is at most 15 KB over the wire", () => {
    assert.ok(coreBytes(built) <= 15 * 1000);
  });
});
