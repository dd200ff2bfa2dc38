// A static page without a back end makes a picture with a token, in a real browser and from another origin.
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { bearer, textOf } from "../support/app-client.ts";
import { type SandboxApps, sandboxApps } from "../support/sandbox-app.ts";
import type { TestApp } from "../support/test-app.ts";
import { browse, skip } from "./support/browser.ts";

const document = `<!doctype html><title>Shop window</title><body><p id="said"></p><script type="module">
  const [address, token] = location.hash.slice(1).split(",");
  const said = globalThis.document.querySelector("#said");
  const failed = (reason) => { said.textContent = String(reason); };
  addEventListener("error", ({ message }) => failed(message));
  addEventListener("unhandledrejection", ({ reason }) => failed(reason));
  const ask = (method, path, body) => fetch(address + path, {
    method,
    headers: { authorization: "Bearer " + token, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const tried = async (method, path) => ask(method, path).then(({ status }) => status, () => "closed");
  const answer = await ask("POST", "/v1/models/sandbox/image-1",
    { prompt: "a lighthouse", width: 64, height: 64, response_format: "b64_json" });
  const body = await answer.json();
  if (answer.ok) {
    const picture = new Image();
    picture.src = "data:image/png;base64," + body.images[0].b64_json;
    await picture.decode();
    globalThis.document.body.append(picture);
  }
  const others = [await tried("GET", "/account"), await tried("POST", "/v1/models/sandbox/text-1"), await tried("GET", "/v1/models")];
  said.textContent = [answer.status, ...others].join(" ");
</script>`;

describe("a static page with a token", { skip }, () => {
  let apps: SandboxApps;
  let app: TestApp;
  let shop: Server;
  let origin: string;
  before(async () => {
    apps = await sandboxApps();
    app = await apps.open();
    shop = createServer((_, response) => void response.setHeader("content-type", "text/html").end(document));
    await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  });
  after(async () => {
    shop.close();
    await apps.close();
  });

  async function tokenFor(origins: readonly string[]): Promise<string> {
    const body = { capabilities: ["call_models"], models: ["sandbox/image-1"], credits_max: "10", origins };
    const answer = await app.call({ method: "POST", path: "/account/tokens", headers: bearer(app.key), body });
    assert.equal(answer.status, 201, answer.text);
    return textOf(answer.json(), "token");
  }

  async function said(token: string): Promise<{ words: string | null; pictures: number }> {
    const { page, close } = await browse(origin);
    try {
      await page.goto(`${origin}/#${app.baseUrl},${token}`);
      const line = page.locator("#said:not(:empty)");
      await line.waitFor();
      return { words: await line.textContent(), pictures: await page.locator("img").count() };
    } finally {
      await close();
    }
  }

  test("makes a picture, and the token does nothing else", async () => {
    // The account is closed to the page itself; the other two answers it may read.
    assert.deepEqual(await said(await tokenFor([origin])), { words: "200 closed 403 403", pictures: 1 });
  });

  test("gets nothing with a token for another origin", async () => {
    await tokenFor([origin]);
    const { words, pictures } = await said(await tokenFor(["https://elsewhere.example"]));
    assert.deepEqual([words, pictures], ["403 closed 403 403", 0]);
  });
});
