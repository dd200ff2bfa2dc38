// The storage hand-off: an address for a file, the file, and a partner that fetches it, all on one machine.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { type Dispatcher, request } from "undici";
import { memberOf, textOf } from "./support/app-client.ts";
import { addTenant } from "./support/app-people.ts";
import { type PartnerApp, partnerApp, pixel, relightPath } from "./support/partner-app.ts";

let it: PartnerApp;
before(async () => {
  it = await partnerApp();
});
after(() => it.close());

const png = Buffer.from(pixel, "base64");
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

async function ticketFor(more: object = {}, key?: string): Promise<Record<string, string | boolean>> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const answer = await it.post(
    "/customers/storage",
    { file_name: "a.png", content_type: "image/png", ...more },
    headers,
  );
  assert.equal(answer.status, 200, answer.text);
  return answer.json() as Record<string, string | boolean>;
}

async function send(
  method: Dispatcher.HttpMethod,
  url: unknown,
  body?: Buffer,
): Promise<{ status: number; bytes: Buffer }> {
  const answer = await request(String(url), { method, body: body ?? null });
  return { status: answer.statusCode, bytes: Buffer.from(await answer.body.arrayBuffer()) };
}

test("a ticket gives an address that takes the bytes and returns them, for a day", async () => {
  const bytes = Buffer.concat([png, randomBytes(8)]);
  const ticket = await ticketFor();
  assert.equal(ticket["existing_file"], false);
  const left = Date.parse(String(ticket["expires_at"])) - Date.now();
  assert.ok(left > 23.9 * 3_600_000 && left <= 24 * 3_600_000);
  assert.equal((await send("GET", ticket["download_url"])).status, 403, "nothing is there yet");
  const put = await send("PUT", ticket["upload_url"], bytes);
  assert.equal(put.status, 200, put.bytes.toString());
  assert.deepEqual(JSON.parse(put.bytes.toString()), { size_bytes: bytes.length });
  const got = await send("GET", ticket["download_url"]);
  assert.equal(got.status, 200);
  assert.ok(got.bytes.equals(bytes));
});

test("an upload address cannot be read, and an altered one works for nobody", async () => {
  const ticket = await ticketFor();
  await send("PUT", ticket["upload_url"], png);
  assert.equal((await send("GET", ticket["upload_url"])).status, 403);
  assert.equal((await send("PUT", ticket["download_url"], png)).status, 403);
  for (const url of [
    String(ticket["download_url"]).replace(/s=.{4}/, "s=AAAA"),
    String(ticket["download_url"]).replace(/e=\d/, "e=2"),
    `${ticket["download_url"]}&x=1`,
  ])
    assert.equal((await send("GET", url)).status, 403, url);
});

test("the first file stays: the same bytes again are fine, other bytes are 400", async () => {
  const ticket = await ticketFor();
  assert.equal((await send("PUT", ticket["upload_url"], png)).status, 200);
  assert.equal((await send("PUT", ticket["upload_url"], png)).status, 200);
  const other = await send("PUT", ticket["upload_url"], Buffer.from("other"));
  assert.equal(other.status, 400, other.bytes.toString());
  assert.ok((await send("GET", ticket["download_url"])).bytes.equals(png));
});

test("a file whose hash is known needs no upload, in its own workspace and nowhere else", async () => {
  const bytes = Buffer.concat([png, randomBytes(16)]);
  const first = await ticketFor({ file_hash: sha256(bytes) });
  assert.equal(first["existing_file"], false);
  const lied = await send("PUT", first["upload_url"], png);
  assert.equal(lied.status, 400, "the bytes are not the announced ones");
  assert.equal((await send("PUT", first["upload_url"], bytes)).status, 200);
  const again = await ticketFor({ file_hash: sha256(bytes).toUpperCase(), file_name: "b.png" });
  assert.equal(again["existing_file"], true);
  assert.ok((await send("GET", again["download_url"])).bytes.equals(bytes));
  const tenant = await addTenant(it.app, "Eve");
  assert.equal((await ticketFor({ file_hash: sha256(bytes) }, tenant.key))["existing_file"], false);
});

test("a ticket needs no content type", async () => {
  const bytes = Buffer.concat([png, randomBytes(8)]);
  for (const file_name of ["photo.PNG", "photo.constructor", "photo"]) {
    const answer = await it.post("/customers/storage", { file_name });
    assert.equal(answer.status, 200, answer.text);
    assert.equal((await send("PUT", memberOf(answer.json(), "upload_url"), bytes)).status, 200, file_name);
    assert.ok((await send("GET", memberOf(answer.json(), "download_url"))).bytes.equals(bytes));
  }
});

test("wrong tickets are 400 and name the field", async () => {
  for (const [body, field] of [
    [{ content_type: "image/png" }, "file_name"],
    [{ file_name: "", content_type: "image/png" }, "file_name"],
    [{ file_name: "../x", content_type: "image/png" }, "file_name"],
    [{ file_name: "a", content_type: "picture" }, "content_type"],
    [{ file_name: "a", content_type: "image/png", file_hash: "abc" }, "file_hash"],
  ] as const) {
    const answer = await it.post("/customers/storage", body);
    assert.equal(answer.status, 400, answer.text);
    assert.ok(textOf(answer.json(), "message").includes(field), answer.text);
  }
});

test("partner-a gets the file itself, partner-b as a data URL, and the caller sees what they sent", async () => {
  const bytes = Buffer.concat([png, randomBytes(4)]);
  const ticket = await ticketFor();
  await send("PUT", ticket["upload_url"], bytes);
  const url = String(ticket["download_url"]);
  const relit = await it.relight({ image: url });
  assert.equal(relit.status, 200, relit.text);
  assert.equal(
    memberOf(JSON.parse(it.partner.submissions.at(-1)?.body.toString() ?? ""), "image"),
    bytes.toString("base64"),
  );
  // The skin enhancer accepts only https, except for our own files.
  const enhanced = await it.post("/proxy/partner-a/v1/ai/skin-enhancer/flexible", { image: url });
  assert.equal(enhanced.status, 200, enhanced.text);
  const filmed = await it.prompt({ image_url: url });
  assert.equal(filmed.status, 201, filmed.text);
  const sent = JSON.parse(it.partner.submissions.at(-1)?.body.toString() ?? "");
  assert.equal(memberOf(sent, "image_url"), `data:image/png;base64,${bytes.toString("base64")}`);
  assert.deepEqual(memberOf(filmed.json(), "frame_conditioning"), { image_url: url });
  const framed = await it.post("/proxy/partner-b/prompts/image-to-video", {
    keyframes: { 0: { image_url: url }, 40: { image_url: "https://pictures.example/2.png" } },
  });
  assert.equal(framed.status, 201, framed.text);
  const frames = memberOf(JSON.parse(it.partner.submissions.at(-1)?.body.toString() ?? ""), "keyframes");
  assert.match(textOf(frames, "0", "image_url"), /^data:image\/png;base64,/);
  assert.equal(textOf(frames, "40", "image_url"), "https://pictures.example/2.png");
  assert.equal(textOf(framed.json(), "frame_conditioning", "keyframes", "0", "image_url"), url);
});

test("a broken address of this server is 400 and names the field", async () => {
  const ticket = await ticketFor();
  for (const url of [
    String(ticket["download_url"]),
    String(ticket["download_url"]).replace(/s=.{4}/, "s=AAAA"),
    `${new URL(String(ticket["download_url"])).origin}/elsewhere`,
  ]) {
    const answer = await it.post(relightPath, { image: url });
    assert.equal(answer.status, 400, answer.text);
    assert.ok(textOf(answer.json(), "message").includes("image"));
  }
});
