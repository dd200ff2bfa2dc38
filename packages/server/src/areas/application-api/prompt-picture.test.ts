import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobOutput } from "../../capabilities/jobs/index.ts";
import { trustedId } from "../../foundation/ids.ts";
import { outputsOf } from "./prompt-picture.ts";

const jobId = trustedId<"job">("01a1e4ee-a3ed-7186-9008-4b7943c980b9");
const output = (nodeId: string, name: string, kind: JobOutput["kind"]): JobOutput => ({
  assetId: trustedId<"asset">("01a1e4ee-a3ed-7186-9008-4b7943c980ba"),
  nodeId,
  name,
  kind,
  contentType: "image/png",
  sizeBytes: 1,
  hash: "",
  folder: "output",
  version: 1,
});

test("outputs are listed under their nodes by kind, films as animated pictures, texts as texts too", () => {
  const all = [
    output("1", "a.png", "image"),
    output("1", "deep/b.png", "image"),
    output("2", "c.mp4", "video"),
    output("3", "d.txt", "text"),
  ];
  const file = (filename: string, subfolder: string = jobId) => ({ filename, subfolder, type: "output" });
  assert.deepEqual(
    outputsOf(jobId, all, ({ kind }) => (kind === "text" ? "words" : null)),
    {
      "1": { images: [file("a.png"), file("b.png", `${jobId}/deep`)] },
      "2": { images: [file("c.mp4")], animated: [true] },
      "3": { files: [file("d.txt")], text: ["words"] },
    },
  );
});

test("a node that is called like a part of every object is a node like any other", () => {
  const found = outputsOf(jobId, [output("__proto__", "a.png", "image")], () => null);
  assert.deepEqual(Object.keys(found), ["__proto__"]);
  assert.equal(Object.hasOwn(Object.prototype, "images"), false);
});
