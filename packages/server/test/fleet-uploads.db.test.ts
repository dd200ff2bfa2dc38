// Two gateways that share only a database, a blob store and a key ring: each has its own home.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { bearer } from "./support/app-client.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { testS3 } from "./support/test-s3.ts";

const stores = ["a folder that both reach", "an S3 store"] as const;
for (const store of stores) {
  describe(`a resumable upload on two gateways with ${store}`, () => {
    let here: TestApp;
    let there: TestApp;
    const closing: (() => Promise<unknown>)[] = [];
    before(async () => {
      const folder = await mkdtemp(join(tmpdir(), "atelier-fleet-"));
      closing.push(() => rm(folder, { recursive: true, force: true }));
      const blobs = store === "an S3 store" ? await openS3() : { ATELIER_BLOBS: `file:${join(folder, "blobs")}` };
      here = await testApp({ env: blobs });
      closing.push(() => here.close());
      const ring = join(folder, "ring.json");
      await copyFile(join(here.home, "secrets.json"), ring);
      const own = { ATELIER_HOME: join(folder, "other-home"), ATELIER_SECRETS_FILE: ring };
      there = await testApp({ beside: here, env: { ...blobs, ...own } });
      closing.push(() => there.close());
    });
    after(async () => {
      for (const close of closing.reverse()) await close();
    });

    async function openS3(): Promise<Record<string, string>> {
      const s3 = await testS3();
      closing.push(() => s3.close());
      return {
        ATELIER_BLOBS: s3.address,
        ATELIER_BLOBS_KEY_ID: s3.credentials.accessKeyId,
        ATELIER_BLOBS_SECRET: s3.credentials.secretAccessKey,
      };
    }

    test("begins at one, continues at either, and is read whole at both", async () => {
      const bytes = randomBytes(700_000);
      const version = { "tus-resumable": "1.0.0" };
      const about = Object.entries({ file_path: "fleet.bin", content_type: "application/octet-stream" })
        .map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`)
        .join(",");
      const announced = await fetch(`${here.baseUrl}/api/v2/uploads`, {
        method: "POST",
        headers: { ...bearer(here.key), ...version, "upload-length": String(bytes.length), "upload-metadata": about },
      });
      assert.equal(announced.status, 201, await announced.text());
      const path = announced.headers.get("location") ?? "";
      const cuts = [0, 200_000, 200_001, 550_000, bytes.length];
      let asset = "";
      for (const [index, start] of cuts.slice(0, -1).entries()) {
        const app = index % 2 === 0 ? there : here;
        const url = new URL(path, app.baseUrl);
        const head = await fetch(url, { method: "HEAD", headers: { ...bearer(here.key), ...version } });
        assert.equal(head.headers.get("upload-offset"), String(start));
        const sent = await fetch(url, {
          method: "PATCH",
          headers: {
            ...bearer(here.key),
            ...version,
            "upload-offset": String(start),
            "content-type": "application/offset+octet-stream",
          },
          body: bytes.subarray(start, cuts[index + 1]),
        });
        assert.equal(sent.status, 204, await sent.text());
        asset = sent.headers.get("location") ?? "";
      }
      for (const app of [here, there]) {
        const found = await fetch(new URL(asset, app.baseUrl), { headers: bearer(here.key) });
        const { url, size_bytes } = Object(await found.json());
        assert.equal(size_bytes, bytes.length);
        const content = await fetch(url);
        assert.ok(Buffer.from(await content.arrayBuffer()).equals(bytes));
      }
    });
  });
}
