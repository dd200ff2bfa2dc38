// What programs do with tus-js-client. This file is copied next to the unmodified package and run there; each flow prints one
// line of JSON.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { Upload } from "tus-js-client";

const base = process.env["COMFY_BASE_URL"];
const key = process.env["COMFY_API_KEY"];
const headers = key === undefined ? {} : { "X-API-Key": key };
const version = { "Tus-Resumable": "1.0.0" };
const endpoint = `${base}/api/v2/uploads`;
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

// Resolves to the upload's address; `onChunk` may stop it.
function uploaded(input, options, use = (upload) => upload.start()) {
  return new Promise((resolve, reject) => {
    const upload = new Upload(input, {
      endpoint,
      headers,
      retryDelays: [0, 500, 1_000],
      onError: reject,
      onSuccess: () => resolve(upload.url),
      ...options,
    });
    use(upload, resolve);
  });
}

async function assetOf(address) {
  const head = await fetch(address, { method: "HEAD", headers: { ...headers, ...version } });
  const asset = await (await fetch(new URL(head.headers.get("location"), base), { headers })).json();
  const content = await fetch(new URL(asset.url, base), { headers });
  return { ...asset, bytes: Buffer.from(await content.arrayBuffer()) };
}

async function requireAsset(address, bytes) {
  const asset = await assetOf(address);
  assert.equal(sha256(asset.bytes), sha256(bytes));
  return asset;
}

const flows = {
  async "tus: what OPTIONS offers"() {
    const { headers: offered } = await fetch(endpoint, { method: "OPTIONS" });
    const extensions = (offered.get("tus-extension") ?? "").split(",");
    for (const one of ["creation", "creation-defer-length", "expiration", "termination", "checksum", "concatenation"])
      assert.ok(extensions.includes(one), one);
    assert.ok((offered.get("tus-checksum-algorithm") ?? "").split(",").includes("sha1"));
  },
  async "tus: a file in pieces, without a content type"() {
    const bytes = randomBytes(700_000);
    const address = await uploaded(bytes, { chunkSize: 256 * 1024, metadata: { filename: "pieces.bin" } });
    await requireAsset(address, bytes);
  },
  async "tus: stopped on the way and resumed"() {
    const bytes = randomBytes(900_000);
    const metadata = { filename: "resumed.bin", filetype: "application/octet-stream" };
    const address = await uploaded(bytes, { chunkSize: 200_000, metadata }, (upload, resolve) => {
      upload.options.onChunkComplete = () => upload.abort().then(() => resolve(upload.url));
      upload.start();
    });
    await uploaded(bytes, { uploadUrl: address, chunkSize: 200_000 });
    await requireAsset(address, bytes);
  },
  async "tus: a stream of unknown length (Upload-Defer-Length)"() {
    const bytes = randomBytes(800_000);
    const source = Readable.from([
      bytes.subarray(0, 300_000),
      bytes.subarray(300_000, 500_000),
      bytes.subarray(500_000),
    ]);
    const options = { uploadLengthDeferred: true, chunkSize: 256 * 1024, metadata: { filename: "deferred.txt" } };
    const asset = await requireAsset(await uploaded(source, options), bytes);
    assert.equal(asset.content_type, "text/plain");
  },
  async "tus: three parts at once, joined (Upload-Concat)"() {
    const bytes = randomBytes(1_000_001);
    const address = await uploaded(bytes, { parallelUploads: 3, metadata: { filename: "parallel.bin" } });
    const asset = await requireAsset(address, bytes);
    assert.equal(asset.file_path, "parallel.bin");
  },
  async "tus: given up"() {
    const address = await uploaded(
      randomBytes(600_000),
      { chunkSize: 200_000, metadata: { filename: "gone.bin" } },
      (upload, resolve) => {
        upload.options.onChunkComplete = () => upload.abort(true).then(() => resolve(upload.url));
        upload.start();
      },
    );
    assert.equal((await fetch(address, { method: "HEAD", headers: { ...headers, ...version } })).status, 404);
  },
};

for (const [flow, run] of Object.entries(flows)) {
  try {
    await run();
    console.log(JSON.stringify({ flow, ok: true }));
  } catch (thrown) {
    console.log(JSON.stringify({ flow, ok: false, note: String(thrown?.stack ?? thrown).slice(0, 600) }));
  }
}
