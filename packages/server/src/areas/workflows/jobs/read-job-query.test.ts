import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../../foundation/fault.ts";
import { readAssetQuery } from "../assets/read-asset-query.ts";
import { readJobQuery } from "./read-job-query.ts";

const read = (text: string) => readJobQuery(new URLSearchParams(text), text);

test("states may be repeated or listed with commas, and each counts once", () => {
  assert.equal(read("").states, null);
  assert.deepEqual(read("status=running&status=queued,failed&status=queued").states, ["queued", "running", "failed"]);
});

test("the filters are taken as they are", () => {
  const asked = read("metadata=a%20b&idempotency_key=k-1&limit=500&cursor=c");
  assert.deepEqual(asked, {
    states: null,
    metadata: "a b",
    labels: [],
    idempotencyKey: "k-1",
    cursor: "c",
    limit: 100,
  });
  assert.deepEqual([read("metadata=").metadata, read("").metadata], ["", null]);
});

test("labels are read key by key, percent-encoded or not, with any name", () => {
  const wanted = [
    ["campaign", "spring 7="],
    ["__proto__", ""],
    ["constructor", "é"],
  ] as const;
  const encoded = wanted.map(
    ([key, value]) => `metadata${encodeURIComponent(`[${key}]`)}=${encodeURIComponent(value)}`,
  );
  assert.deepEqual(read(encoded.join("&")).labels, wanted);
  assert.deepEqual(read("metadata[a]=1&metadata[b]=x+y&metadata=t&Metadata[c]=2").labels, [
    ["a", "1"],
    ["b", "x y"],
  ]);
});

test("a limit above the cap is clamped, however many digits it has", () => {
  for (const digits of [9, 10, 20, 400]) {
    assert.deepEqual(
      [read(`limit=${"9".repeat(digits)}`).limit, read(`limit=-${"9".repeat(digits)}`).limit],
      [100, 20],
    );
    const assets = (sign: string) => readAssetQuery(new URLSearchParams(`limit=${sign}${"9".repeat(digits)}`)).limit;
    assert.deepEqual([assets(""), assets("-")], [100, 20]);
  }
});

test("a filter that cannot be read is refused and named", () => {
  const wrong = [
    "status=done",
    "status=",
    "status=running,",
    "metadata=a&metadata=b",
    `metadata=${"x".repeat(1025)}`,
    "metadata=%00",
    "metadata[]=x",
    "metadata[=x",
    "metadata[a=x",
    "metadata[a]=1&metadata[a]=2",
    "metadata[a]=1&metadata%5Ba%5D=1",
    "metadata[%00]=x",
    "metadata[a]=%00",
    "metadata[a]=%ED%A0%80",
    "metadata[%FF]=x",
    "metadata[a]=%zz",
    `metadata[a]=${"x".repeat(257)}`,
    "metadata[a]=1&metadata[b]=1&metadata[c]=1&metadata[d]=1",
    Array.from({ length: 1000 }, (_, at) => `metadata[${at}]=1`).join("&"),
    "idempotency_key=",
    "idempotency_key=a%20b",
    `idempotency_key=${"k".repeat(256)}`,
    "limit=ten",
    "limit=1&limit=2",
    "cursor=",
  ];
  for (const text of wrong) {
    const name = text.split(/[[=]/)[0] ?? "";
    const code = text.startsWith("metadata[") ? "invalid_metadata_filter" : "invalid_request";
    assert.throws(
      () => read(text),
      (thrown) => thrown instanceof Fault && thrown.code === code && thrown.message.includes(name),
      text,
    );
  }
});
