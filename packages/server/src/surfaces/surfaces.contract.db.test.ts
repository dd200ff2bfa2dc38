// One suite over all surfaces: the same client, the same links, the same answers. Differences are listed in `differences` and
// nowhere else. The client follows links and builds none.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import sharp from "sharp";
import { newId, parseId } from "../foundation/ids.ts";
import { aClient, aForm, aHouse, type Client, errorCode, type House, textOf, toRecord } from "./surfaces.fixture.ts";

interface Differences {
  readonly port: (house: House) => number;
  readonly mount?: (house: House) => string;
  readonly credential: (house: House) => Record<string, string>;
  // Spec, Output URL rules 1 and 3.
  readonly signsUrls: boolean;
}

const differences: Record<string, Differences> = {
  cloud: { port: (house) => house.cloudPort, credential: (house) => ({ "x-api-key": house.key }), signsUrls: true },
  deployment: {
    port: (house) => house.deploymentPort,
    mount: (house) => house.deploymentMount,
    credential: (house) => ({ "x-api-key": house.key }),
    signsUrls: true,
  },
  "self-hosted": { port: (house) => house.selfHostedPort, credential: () => ({}), signsUrls: false },
};

for (const [name, { port, mount, credential, signsUrls }] of Object.entries(differences)) {
  describe(`v2 assets on the ${name} surface`, { timeout: 900_000 }, () => {
    let house: House;
    let client: Client;
    const upload = (bytes: string | Buffer, fields: Record<string, string> = {}, more: [string, string][] = []) =>
      client.ask("/api/v2/assets", { method: "POST", body: aForm(bytes, fields, more) });
    // The bytes behind the content endpoint, wherever it redirects; the credential is not sent along.
    async function follow(target: string, headers: Record<string, string> = {}) {
      const answer = await client.ask(target, { headers });
      assert.equal(answer.status === 302, signsUrls && target.includes("/api/v2/"), target);
      return answer.status === 302 ? client.ask(textOf(answer.headers["location"]), { headers }, {}) : answer;
    }

    before(async () => {
      house = await aHouse();
      client = aClient(`http://127.0.0.1:${port(house)}`, credential(house), mount?.(house));
    });
    after(async () => {
      await client.close();
      await house.close();
    });

    test("an upload can be used at once, and its links lead where they say", async () => {
      const bytes = randomBytes(70_000);
      const made = await upload(bytes, { content_type: "image/png", file_path: "cats/tom.png" }, [["tags", "cat"]]);
      assert.equal(made.status, 201, made.text);
      const asset = made.json();
      const urls = toRecord(asset["urls"]);
      assert.match(textOf(asset["hash"]), /^blake3:[0-9a-f]{64}$/);
      assert.deepEqual(
        [asset["size_bytes"], asset["content_type"], asset["file_path"], asset["tags"], asset["created_new"]],
        [70_000, "image/png", "cats/tom.png", ["cat"], true],
      );
      assert.equal(made.headers["location"], urls["self"]);
      const read = await client.ask(textOf(urls["self"]));
      assert.equal(read.status, 200);
      assert.equal(read.json()["created_new"], undefined);
      for (const url of [asset["url"], urls["content"]]) {
        const found = await follow(textOf(url));
        assert.equal(found.status, 200);
        assert.ok(found.bytes.equals(bytes));
        assert.match(textOf(found.headers["content-disposition"]), /^attachment; filename="tom.png"$/);
        assert.equal(found.headers["content-type"], "application/octet-stream", "random bytes are no picture");
      }
    });

    test("url_expires_at is the real expiry of a signed URL, and null where nothing is signed", async () => {
      const asset = (await upload("expiry")).json();
      if (!signsUrls) return assert.equal(asset["url_expires_at"], null);
      const signedUntil = Number(new URL(textOf(asset["url"])).searchParams.get("e")) * 1000;
      assert.equal(Date.parse(textOf(asset["url_expires_at"])), signedUntil);
    });

    test("equal bytes: 200 and not new; an equal name gives the same record, another name a further one", async () => {
      const first = await upload("same bytes", { file_path: "one.txt" });
      const again = await upload("same bytes", { file_path: "one.txt" }, [["tags", "late"]]);
      const other = await upload("same bytes", { file_path: "two.txt" });
      assert.deepEqual([first.status, again.status, other.status], [201, 200, 200]);
      assert.deepEqual([again.json()["created_new"], other.json()["created_new"]], [false, false]);
      assert.equal(again.json()["id"], first.json()["id"]);
      assert.deepEqual(again.json()["tags"], ["late"]);
      assert.notEqual(other.json()["id"], first.json()["id"]);
    });

    test("bytes that are here need no second upload", async () => {
      const { hash } = (await upload("by hash")).json();
      const encoded = textOf(hash).replace(":", "%3A");
      for (const spelling of [textOf(hash), encoded]) {
        const head = await client.ask(`/api/v2/assets/by-hash/${spelling}`, { method: "HEAD" });
        assert.deepEqual([head.status, head.text], [200, ""]);
      }
      const minted = await fromHash({ hash, file_path: "again.bin", tags: ["x"], expires_in: 60, unknown: 1 });
      const equal = await fromHash({ hash, file_path: "again.bin" });
      assert.deepEqual([minted.status, equal.status], [201, 200]);
      assert.equal(minted.json()["id"], equal.json()["id"]);
      assert.equal(minted.json()["created_new"], false);
      assert.equal(equal.json()["expires_at"], null, "a repeat may only lengthen: without expires_in it is for ever");
    });

    test("an unknown hash is blob_not_found, and an invalid one 422 or 404", async () => {
      const hash = `blake3:${"0".repeat(64)}`;
      const missing = await fromHash({ hash });
      assert.deepEqual([missing.status, errorCode(missing)], [404, "blob_not_found"]);
      for (const wrong of [`blake3:${"0".repeat(63)}`, "0".repeat(64), "../../x", hash.toUpperCase()]) {
        const refused = await fromHash({ hash: wrong });
        assert.deepEqual([refused.status, errorCode(refused)], [422, "invalid_body"], wrong);
        const head = await client.ask(`/api/v2/assets/by-hash/${encodeURIComponent(wrong)}`, { method: "HEAD" });
        assert.equal(head.status, 404, wrong);
      }
    });

    test("the list goes newest first through every page and filter", async () => {
      const tag = `t${newId()}`;
      const ids: unknown[] = [];
      for (let at = 0; at < 5; at++) {
        await house.clock.advance(1000);
        ids.unshift((await upload(`listed ${tag} ${at}`, { file_path: `${at}.bin` }, [["tags", tag]])).json()["id"]);
      }
      const seen: unknown[] = [];
      let target: string | undefined = `/api/v2/assets?tag=${tag}&limit=2&kind=file`;
      for (let pages = 0; target !== undefined; pages++) {
        assert.ok(pages < 4, "the walk ends");
        const page = (await client.ask(target)).json();
        assert.equal(page["limit"], 2);
        assert.ok(Array.isArray(page["data"]));
        seen.push(...page["data"].map((asset) => toRecord(asset)["id"]));
        assert.equal(page["has_more"], page["next"] !== undefined);
        target = page["next"] === undefined ? undefined : textOf(page["next"]);
      }
      assert.deepEqual(seen, ids);
      const none = await client.ask(`/api/v2/assets?tag=${tag}&kind=image`);
      assert.deepEqual(none.json()["data"], []);
      const ofJob = await client.ask(`/api/v2/assets?tag=${tag}&job=${newId()}`);
      assert.deepEqual(ofJob.json()["data"], []);
    });

    test("a cursor of another question, an unknown kind and a repeated parameter are 400", async () => {
      await upload("for a cursor 1", { file_path: "c1" });
      await upload("for a cursor 2", { file_path: "c2" });
      const cursor = textOf((await client.ask("/api/v2/assets?limit=1")).json()["next_cursor"]);
      for (const query of [
        `tag=x&cursor=${cursor}`,
        "cursor=nonsense",
        "kind=page",
        "limit=x",
        "tag=a&tag=b",
        "tag=",
      ]) {
        const refused = await client.ask(`/api/v2/assets?${query}`);
        const code = query.includes("cursor=") ? "invalid_cursor" : "invalid_request";
        assert.deepEqual([refused.status, errorCode(refused)], [400, code], query);
      }
    });

    test("a deleted asset is gone, a second delete too, and its bytes stay while another record needs them", async () => {
      const one = (await upload("shared", { file_path: "s1" })).json();
      const two = (await upload("shared", { file_path: "s2" })).json();
      const self = textOf(toRecord(one["urls"])["self"]);
      assert.equal((await client.ask(self, { method: "DELETE" })).status, 204);
      for (const method of ["DELETE", "GET"] as const) assert.equal((await client.ask(self, { method })).status, 404);
      await house.blobs.collect({ dryRun: false, signal: new AbortController().signal });
      assert.equal((await follow(textOf(toRecord(two["urls"])["content"]))).text, "shared");
    });

    test("an asset that is held is 409 asset_in_use, and the body does not say who holds it", async () => {
      const made = await upload("held");
      const assetId = parseId<"asset">(textOf(made.json()["id"]));
      assert.ok(assetId);
      const self = textOf(toRecord(made.json()["urls"])["self"]);
      const holder = { kind: "job", id: newId() };
      const held = await house.assets.hold(house.db, { workspaceId: house.workspaceId, assetIds: [assetId], holder });
      assert.deepEqual(held, [assetId]);
      const refused = await client.ask(self, { method: "DELETE" });
      assert.deepEqual([refused.status, errorCode(refused)], [409, "asset_in_use"]);
      assert.doesNotMatch(refused.text, /job|[0-9a-f-]{36}/);
      await house.assets.release(house.db, holder);
      assert.equal((await client.ask(self, { method: "DELETE" })).status, 204);
    });

    test("one range is served, one beyond the bytes is 416, several are the whole", async () => {
      const made = (await upload("0123456789", { content_type: "text/plain" })).json();
      const content = textOf(toRecord(made["urls"])["content"]);
      const part = await follow(content, { range: "bytes=2-4" });
      assert.deepEqual([part.status, part.text, part.headers["content-range"]], [206, "234", "bytes 2-4/10"]);
      const tail = await follow(content, { range: "bytes=-3" });
      assert.deepEqual([tail.status, tail.text], [206, "789"]);
      const outside = await follow(content, { range: "bytes=10-" });
      assert.deepEqual([outside.status, outside.headers["content-range"]], [416, "bytes */10"]);
      const several = await follow(content, { range: "bytes=0-1,3-4" });
      assert.deepEqual([several.status, several.text], [200, "0123456789"]);
      const stale = await follow(content, { range: "bytes=0-1", "if-range": '"other"' });
      assert.equal(stale.status, 200);
      const whole = await follow(content);
      const unchanged = await follow(content, { "if-none-match": textOf(whole.headers["etag"]) });
      assert.deepEqual([unchanged.status, unchanged.text], [304, ""]);
      assert.deepEqual(whole.headers["content-type"], "text/plain; charset=utf-8");
      assert.match(textOf(whole.headers["content-disposition"]), /^inline/);
    });

    test("HEAD is GET without the bytes", async () => {
      const made = (await upload("head of it")).json();
      const urls = toRecord(made["urls"]);
      const record = await client.ask(textOf(urls["self"]), { method: "HEAD" });
      assert.deepEqual([record.status, record.text], [200, ""]);
      const content = await client.ask(textOf(urls["content"]), { method: "HEAD" });
      assert.equal(content.status, signsUrls ? 302 : 200);
      const bytes = signsUrls ? await client.ask(textOf(content.headers["location"]), { method: "HEAD" }, {}) : content;
      assert.deepEqual([bytes.status, bytes.headers["content-length"], bytes.text], [200, "10", ""]);
    });

    test("a picture has two thumbnails, made once and kept; other files have none", async () => {
      const picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: "red" } })
        .png()
        .toBuffer();
      const made = (await upload(picture, { content_type: "image/png" })).json();
      const self = textOf(toRecord(made["urls"])["self"]);
      for (const [size, width] of [
        ["?size=128", 128],
        ["?size=512", 512],
        ["", 512],
      ] as const) {
        const small = await client.ask(`${self}/thumbnail${size}`);
        assert.equal(small.status, 200, small.text);
        const { format, ...found } = await sharp(small.bytes).metadata();
        assert.deepEqual([format, found.width], ["webp", width]);
        const headers = { "if-none-match": textOf(small.headers["etag"]) };
        assert.equal((await client.ask(`${self}/thumbnail${size}`, { headers })).status, 304);
      }
      assert.equal((await client.ask(`${self}/thumbnail?size=64`)).status, 400);
      const text = (await upload("no picture", { content_type: "image/png" })).json();
      assert.equal((await client.ask(`${textOf(toRecord(text["urls"])["self"])}/thumbnail`)).status, 404);
    });

    test("an asset is gone when its time is over, before and after it is swept", async () => {
      const kept = (await upload("kept", { file_path: "kept" })).json();
      const brief = (await upload("brief", { expires_in: "60" })).json();
      const self = textOf(toRecord(brief["urls"])["self"]);
      assert.equal((await client.ask(self)).status, 200);
      await house.clock.advance(61_000);
      assert.equal((await client.ask(self)).status, 404);
      await house.assets.sweep();
      assert.equal((await client.ask(self)).status, 404);
      assert.equal((await client.ask(textOf(toRecord(kept["urls"])["self"]))).status, 200);
    });

    test("malformed and unknown ids and unknown paths are 404 in v2's envelope", async () => {
      for (const path of [`assets/${newId()}`, "assets/x", "assets/..%2f..", `assets/${newId()}/content`, "nothing"]) {
        const refused = await client.ask(`/api/v2/${path}`);
        assert.deepEqual([refused.status, errorCode(refused)], [404, "not_found"], path);
      }
    });

    async function fromHash(body: object) {
      const headers = { "content-type": "application/json" };
      return client.ask("/api/v2/assets/from-hash", { method: "POST", headers, body: JSON.stringify(body) });
    }
  });
}
