// One program that uses every entry point of the installed package, as published, on Node, Deno or Bun. It finds the
// server by ATELIER_URL and ATELIER_API_KEY and ends with one line of JSON that says what it saw.
import {
  Atelier,
  AtelierError,
  GraphFile,
  InvalidInput,
  JobFailed,
  NotFound,
  referenceTo,
  Workflow,
} from "@atelier/sdk";
import { Badges } from "@atelier/sdk/badges";
import { Blake3, blake3OfBlob } from "@atelier/sdk/blake3";
import { unwrap, WebhookRefused } from "@atelier/sdk/webhooks";

const atelier = new Atelier();
const seen = {};
const text = (bytes) => new TextDecoder().decode(bytes);
const bytesOf = (words) => new TextEncoder().encode(words);

// Models: the catalog to its end, integers above 2^53 in both directions, a replay, a typed refusal.
let models = 0;
for await (const model of atelier.models.list({ pageSize: 2 })) models += model.id.startsWith("sandbox/") ? 1 : 0;
const idempotencyKey = crypto.randomUUID();
const first = await atelier.models.run("sandbox/open-1", { seed: 2n ** 64n, note: "é" }, { idempotencyKey });
const again = await atelier.models.run("sandbox/open-1", { seed: 2n ** 64n, note: "é" }, { idempotencyKey });
const refusal = await atelier.models.run("sandbox/image-1", { prompt: "x", width: -1 }).catch((error) => error);
seen.models = [models >= 6, text(first.bytes).includes("18446744073709551616"), first.isReplay, again.isReplay];
seen.refused = [refusal instanceof InvalidInput, refusal instanceof AtelierError, refusal.fields?.[0]?.loc?.[1]];

// Assets: uploaded once, found by their hash, downloaded whole and in part; a large one piece by piece.
const noise = crypto.getRandomValues(new Uint8Array(60_000));
const asset = await atelier.assets.put(noise, { filePath: "noise.bin" });
const twin = await atelier.assets.put(noise, { filePath: "noise.bin" });
const back = await atelier.assets.download(asset);
const part = new Uint8Array(await (await atelier.assets.open(asset, { range: { from: 10, to: 19 } })).arrayBuffer());
const pieces = await atelier.assets.put(bytesOf("piece by piece ".repeat(9_000)), { resumableFromBytes: 1 });
seen.assets = [
  back.length === noise.length && back.every((byte, at) => byte === noise[at]),
  twin.created_new,
  part.length === 10 && part.every((byte, at) => byte === noise[at + 10]),
  pieces.size_bytes,
  (await (await fetch((await atelier.assets.share(asset)).url)).arrayBuffer()).byteLength,
];
seen.blake3 = [
  asset.hash === `blake3:${new Blake3().update(noise).hex()}`,
  asset.hash === `blake3:${await blake3OfBlob(new Blob([noise]))}`,
];

// Jobs: a file in a graph, events to the end, the output's bytes; a failure that says where; a job that does not exist.
const graph = {
  1: { class_type: "EmptyImage", inputs: { width: 32, height: 32, batch_size: 1, color: 0xff00ff } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "runtime" } },
};
const types = [];
const job = await atelier.jobs.run(graph, { onEvent: ({ type }) => types.push(type), metadata: "runtime" });
const png = await atelier.jobs.download(job.outputs[0]);
const loading = {
  1: { class_type: "LoadImage", inputs: { image: "" } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "loaded" } },
};
const loaded = await atelier.jobs.run(
  new Workflow(loading).set("1", "image", new GraphFile(png, { filePath: "pink.png" })),
);
const failed = await atelier.jobs
  .run(new Workflow(loading).set("1", "image", referenceTo(asset)))
  .catch((error) => error);
const missing = await atelier.jobs.get(crypto.randomUUID()).catch((error) => error);
seen.jobs = [job.status, types.at(-1), types.filter((type) => type === "output").length, text(png.subarray(1, 4))];
seen.more = [
  loaded.outputs.length,
  failed instanceof JobFailed && failed.job.error?.node_id,
  missing instanceof NotFound,
];

// Badges: the map, and a price by jsonata, which the application supplies.
const badges = new Badges({ baseUrl: atelier.baseUrl, appVersion: "nightly", platform: "cloud" });
const [[node, badge] = []] = Object.entries(await badges.map());
const widgets = Object.fromEntries(
  (badge?.depends_on.widgets ?? []).map(({ name, type }) => [name, /INT|FLOAT/.test(type) ? 1 : "1"]),
);
seen.badges = [typeof node, typeof (await badges.evaluate(node ?? "", { widgets }))];

// Webhooks: a message signed with the secret is accepted, anything else is refused.
const secret = "c2VjcmV0IG9mIGEgdGVzdCB0aGF0IGlzIGxvbmc=";
const raw = Uint8Array.from(atob(secret), (character) => character.charCodeAt(0));
const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
const [id, time, body] = ["msg_1", String(Math.floor(Date.now() / 1000)), '{"seed":18446744073709551615}'];
const signed = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytesOf(`${id}.${time}.${body}`)));
const headers = new Headers({
  "webhook-id": id,
  "webhook-timestamp": time,
  "webhook-signature": `v1,${btoa(String.fromCharCode(...signed))}`,
});
const event = await unwrap(body, headers, `whsec_${secret}`);
const forged = await unwrap("{}", headers, `whsec_${secret}`).catch((error) => error);
seen.webhooks = [String(event.seed), forged instanceof WebhookRefused];

console.log(JSON.stringify(seen));
