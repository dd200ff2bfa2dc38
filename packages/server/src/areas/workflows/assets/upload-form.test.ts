// Forms as bytes: any order of parts, any split into chunks, and every way we know to get a form wrong.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { describe, test } from "node:test";
import fc from "fast-check";
import { Fault } from "../../../foundation/fault.ts";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { openUploadForm } from "./upload-form.ts";

const boundary = "----boundary";
const good = { "content-type": `multipart/form-data; boundary=${boundary}` };

interface Part {
  readonly name: string;
  readonly value: Buffer | string;
  readonly headers?: string;
}

function part({ name, value, headers = "" }: Part): Buffer {
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${headers}\r\n\r\n`, "latin1"),
    Buffer.from(value),
    Buffer.from("\r\n"),
  ]);
}

const formOf = (parts: readonly Part[]): Buffer =>
  Buffer.concat([...parts.map(part), Buffer.from(`--${boundary}--\r\n`)]);
const file = (value: Buffer | string, headers = '; filename="../../etc/passwd"'): Part => ({
  name: "file",
  value,
  headers,
});
const type: Part = { name: "content_type", value: "image/png" };
const path: Part = { name: "file_path", value: "a.png" };

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes.length === 0 ? bytes.length : (sizes[turn % sizes.length] ?? 1);
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

async function read(body: Buffer, options: { sizes?: readonly number[]; headers?: object; bytesMax?: number } = {}) {
  const stream = Readable.from(cut(body, options.sizes ?? []), { objectMode: false });
  const request = { headers: { ...good, ...options.headers }, stream };
  const form = openUploadForm(request, { fileBytesMax: options.bytesMax ?? 1e6, clock: handClock() });
  await form.begun();
  const chunks: Uint8Array[] = [];
  for await (const chunk of form.file()) chunks.push(chunk);
  return { bytes: Buffer.concat(chunks), said: form.fields.finish() };
}

const tricks = [
  `--${boundary}`,
  `--${boundary}--`,
  `\r\n--${boundary}`,
  `\r\n--${boundary}--`,
  `\r\n--${boundary}-`,
  `\n--${boundary}\n`,
  "\r\n",
  "\r",
  "--",
  "\0",
  'Content-Disposition: form-data; name="file"; filename="x"\r\n\r\n',
  'Content-Disposition: form-data; name="file_path"\r\n\r\n',
  "content-disposition: form-data; name=file; name=\"file_path\"; filename*=utf-8''..%2f\r\n\r\n",
  "Content-Type: multipart/mixed; boundary=inner\r\n\r\n",
  "Content-Transfer-Encoding: base64\r\n\r\n",
  "../../etc/passwd",
  "bytes",
];

async function codeOf(run: () => Promise<unknown>): Promise<string> {
  try {
    await run();
  } catch (thrown) {
    assert.ok(thrown instanceof Fault, String(thrown));
    return thrown.code;
  }
  return "accepted";
}

describe("an upload form", { timeout: 900_000 }, () => {
  test("gives the same file and fields in every order of its parts and every cut into chunks", async () => {
    const parts = (bytes: Uint8Array) => [
      file(Buffer.from(bytes)),
      type,
      path,
      { name: "tags", value: "one" },
      { name: "tags", value: "two" },
      { name: "expires_in", value: "60" },
      { name: "expected_hash", value: `blake3:${"a".repeat(64)}` },
      { name: "something_else", value: "ignored" },
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 3000 }),
        fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 }),
        async (bytes, order, sizes) => {
          const all = parts(bytes);
          const shuffled = order.flatMap((at) => all[at] ?? []);
          const { bytes: found, said } = await read(formOf(shuffled), { sizes });
          assert.ok(found.equals(Buffer.from(bytes)));
          assert.deepEqual([...said.tags].sort(), ["one", "two"]);
          assert.deepEqual(
            [said.contentType, said.filePath, said.keepSeconds, said.expectedHash],
            ["image/png", "a.png", 60, "a".repeat(64)],
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  test("takes bytes that look like a boundary but are none", async () => {
    for (const bytes of [
      `\r\n--${boundary.slice(1)}`,
      `--${boundary}`,
      `\r\n--${boundary.toUpperCase()}\r\n`,
      "\r\n--",
    ]) {
      const { bytes: found } = await read(formOf([type, path, file(`x${bytes} y`)]), { sizes: [1] });
      assert.equal(found.toString(), `x${bytes} y`);
    }
  });

  test("is found behind a preamble, before an epilogue, and with a boundary in quotes", async () => {
    const body = formOf([type, path, file("x")]);
    const around = Buffer.concat([Buffer.from("preamble\r\n"), body, Buffer.from("epilogue")]);
    const quoted = { "content-type": `multipart/form-data; charset=utf-8; boundary="${boundary}"` };
    for (const headers of [good, quoted]) {
      for (const sizes of [[], [1], [7]]) {
        assert.equal((await read(around, { headers, sizes })).bytes.toString(), "x");
      }
    }
  });

  test("within the file's bytes is bytes: a form inside a form adds no part", async () => {
    const inner = formOf([{ name: "file_path", value: "inner" }, file("inner")])
      .toString("latin1")
      .replaceAll(boundary, "inner");
    for (const sizes of [[], [1], [13]]) {
      const { bytes, said } = await read(formOf([type, path, file(inner)]), { sizes });
      assert.equal(bytes.toString("latin1"), inner);
      assert.equal(said.filePath, "a.png");
    }
  });

  test("with any tricks in its boundaries and heads is one file as sent or refused, never anything else", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...tricks), { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 4 }),
        async (pieces, sizes) => {
          const body = Buffer.concat([part(type), part(path), Buffer.from(pieces.join(""), "latin1")]);
          const code = await codeOf(async () => {
            const { bytes, said } = await read(body, { sizes });
            // None of the file's description came from its bytes.
            assert.equal(said.filePath, "a.png");
            assert.ok(pieces.join("").includes(bytes.toString("latin1")));
          });
          assert.ok(["accepted", "invalid_request", "validation_failed"].includes(code), code);
        },
      ),
      { numRuns: 500 },
    ));

  test("with heads and names beyond measure keeps none of them", async () => {
    const long = [file("x", `; filename="${"n".repeat(20_000)}"`), { name: "n".repeat(900_000), value: "" }];
    const { bytes, said } = await read(formOf([type, path, ...long]));
    assert.equal(bytes.toString(), "x");
    assert.deepEqual(said, {
      contentType: "image/png",
      filePath: "a.png",
      tags: [],
      keepSeconds: null,
      expectedHash: null,
    });
  });

  const wrong: readonly [string, Buffer, string][] = [
    ["without a file", formOf([type, path]), "validation_failed"],
    ["without content_type", formOf([path, file("x")]), "validation_failed"],
    ["without file_path, known only after the file", formOf([file("x"), type]), "validation_failed"],
    ["with two files", formOf([type, path, file("x"), file("y")]), "validation_failed"],
    ["with a field twice", formOf([type, path, path, file("x")]), "validation_failed"],
    [
      "with a wrong field after the file",
      formOf([type, file("x"), { name: "file_path", value: "../x" }]),
      "validation_failed",
    ],
    [
      "with expires_in out of bounds",
      formOf([type, path, { name: "expires_in", value: "59" }, file("x")]),
      "validation_failed",
    ],
    [
      "with a field of 65 KiB",
      formOf([type, path, { name: "x", value: "y".repeat(65 * 1024) }, file("x")]),
      "validation_failed",
    ],
    [
      "with 10,000 parts",
      formOf([...Array.from({ length: 10_000 }, () => ({ name: "x", value: "" })), file("x")]),
      "validation_failed",
    ],
    [
      "with 65 tags",
      formOf([type, path, ...Array.from({ length: 65 }, () => ({ name: "tags", value: "t" })), file("x")]),
      "validation_failed",
    ],
    [
      "whose second file hides behind another case",
      formOf([type, path, file("x"), { ...file("y"), headers: '; FileName="y"' }]),
      "validation_failed",
    ],
    ["that is empty", Buffer.alloc(0), "invalid_request"],
    ["that is no form", Buffer.from("hello"), "invalid_request"],
    ["that ends in its file", formOf([type, path, file("x".repeat(100))]).subarray(0, -60), "invalid_request"],
    ["that lacks the last boundary", formOf([type, path, file("x")]).subarray(0, -8), "invalid_request"],
  ];
  for (const [name, body, code] of wrong) {
    test(`${name} is ${code}`, async () => {
      assert.equal(await codeOf(() => read(body)), code);
      assert.equal(await codeOf(() => read(body, { sizes: [7] })), code);
    });
  }

  test("under another content type, without a boundary, or encoded is refused before a byte is read", async () => {
    const body = formOf([type, path, file("x")]);
    const cases: [object, string][] = [
      [{ "content-type": "application/json" }, "invalid_content_type"],
      [{ "content-type": "multipart/form-data" }, "invalid_request"],
      [{ "content-encoding": "gzip" }, "content_encoding_refused"],
    ];
    for (const [headers, code] of cases) assert.equal(await codeOf(() => read(body, { headers })), code);
  });

  test("larger than all its allowances is payload_too_large, also when the bytes hide in an unknown field", async () => {
    const padding = Array.from({ length: 40 }, (_, at) => ({ name: `p${at}`, value: "y".repeat(60_000) }));
    assert.equal(
      await codeOf(() => read(formOf([type, path, ...padding, file("x")]), { bytesMax: 1000 })),
      "payload_too_large",
    );
  });

  test("whose client goes away ends as client_disconnected", async () => {
    const half = formOf([type, path, file("x".repeat(1000))]).subarray(0, 400);
    const stream = new Readable({ read() {} });
    stream.push(half);
    const form = openUploadForm({ headers: good, stream }, { fileBytesMax: 1e6, clock: handClock() });
    await form.begun();
    setImmediate(() => stream.destroy(new Error("aborted")));
    const reading = async () => {
      for await (const _ of form.file());
    };
    assert.equal(await codeOf(reading), "client_disconnected");
  });

  test("whose bytes come too slowly ends as request_timeout", async () => {
    const clock = handClock();
    const stream = new Readable({ read() {} });
    const form = openUploadForm({ headers: good, stream }, { fileBytesMax: 1e6, clock });
    const begun = codeOf(() => form.begun());
    await clock.advance(31_000);
    assert.equal(await begun, "request_timeout");
  });

  test("holds no more than a few chunks while nobody takes its file", async () => {
    let made = 0;
    const head = formOf([type, path, file("")]).subarray(0, -(boundary.length + 8));
    const stream = new Readable({
      read() {
        if (made === 0) this.push(head);
        made += 64 * 1024;
        this.push(Buffer.alloc(64 * 1024, "z"));
      },
    });
    const form = openUploadForm({ headers: good, stream }, { fileBytesMax: 1e9, clock: handClock() });
    await form.begun();
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(made < 2_000_000, `${made} bytes were read ahead`);
    stream.destroy();
    await codeOf(() => form.begun());
  });
});
