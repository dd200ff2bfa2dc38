import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type Blake3Factory, blake3Stream, nativeBlake3, wasmBlake3 } from "./blake3-stream.ts";

// Lengths and digests of the public test vectors: the input's bytes are 0, 1, … 250, 0, 1, …
const vectors: readonly [number, string][] = [
  [0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"],
  [1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"],
  [1023, "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11"],
  [1024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"],
  [1025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"],
  [2048, "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a"],
  [31744, "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47"],
  [102400, "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085"],
];
const input = (length: number) => Buffer.from(Array.from({ length }, (_, index) => index % 251));

async function digest(factory: Blake3Factory, chunks: readonly Uint8Array[]): Promise<string> {
  const blake3 = await factory();
  for (const chunk of chunks) blake3.update(chunk);
  return blake3.digest();
}

for (const [name, load] of [
  ["native", nativeBlake3],
  ["WebAssembly", wasmBlake3],
] as const) {
  describe(`${name} BLAKE3`, () => {
    test("gives the digests of the public test vectors", async () => {
      const factory = await load();
      for (const [length, expected] of vectors)
        assert.equal(await digest(factory, [input(length)]), expected, `${length}`);
    });

    test("does not mix up hashes that are made at the same time", async () => {
      const factory = await load();
      const [one, two] = [await factory(), await factory()];
      one.update(input(1000));
      two.update(input(1));
      one.update(input(1023).subarray(1000));
      assert.equal(two.digest(), vectors[1]?.[1]);
      assert.equal(one.digest(), vectors[2]?.[1]);
    });
  });
}

test("both give one digest for any bytes in any chunks", async () => {
  const [native, wasm] = [await nativeBlake3(), await wasmBlake3()];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 8 }), async (chunks) => {
      const expected = await digest(native, [Buffer.concat(chunks)]);
      assert.equal(await digest(native, chunks), expected);
      assert.equal(await digest(wasm, chunks), expected);
    }),
    { numRuns: 60 },
  );
});

test("if one implementation cannot load the next one steps in, and without any the reasons are given", async () => {
  const missing = () => Promise.reject(new Error("no native build for this machine"));
  assert.equal(await digest(blake3Stream([missing, wasmBlake3]), []), vectors[0]?.[1]);
  await assert.rejects(
    blake3Stream([missing])(),
    (thrown) => thrown instanceof AggregateError && thrown.errors.length === 1,
  );
});
