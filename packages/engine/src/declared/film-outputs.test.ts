// A partner's film stays a file: it is decoded only for a node that asks for its frames.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { runGraph } from "../../test/support/run-graph.ts";
import { ResultCache } from "../execution/result-cache.ts";
import { findTool } from "../files/ffmpeg.ts";
import type { NodeDeclaration } from "./declaration.ts";

const tool = findTool("ffmpeg");
const skip = tool !== null && findTool("ffprobe") !== null ? false : "ffmpeg is not installed";

// Three seconds of 720p: a few kilobytes as a file, about 800 MB decoded.
function someFilm(): Buffer {
  const words =
    "-f lavfi -i color=size=1280x720:rate=24:duration=3 -pix_fmt yuv420p -movflags frag_keyframe+empty_moov -f mp4 pipe:1";
  return spawnSync(tool ?? "", ["-nostdin", "-loglevel", "error", ...words.split(" ")], { maxBuffer: 2 ** 26 }).stdout;
}

const declared: NodeDeclaration[] = ["MineFilm", "MineEdit"].map((name) => ({
  name,
  category: "partner",
  description: "A class.",
  input: { optional: { film: ["VIDEO", {}] } },
  outputs: [{ type: "VIDEO", name: "VIDEO", from: [""] }],
  calls: [{ model: "mine/film", body: { film: { $input: "film", as: "base64" } } }],
}));

function run(film: Buffer, prefix: string, isDecoded: boolean, cache: ResultCache, sent: Buffer[] = []) {
  const sink = isDecoded
    ? { class_type: "GetVideoComponents", inputs: { video: ["2", 0] } }
    : { class_type: "SaveVideo", inputs: { video: ["2", 0], filename_prefix: prefix, format: "auto", codec: "auto" } };
  return runGraph(
    {
      "1": { class_type: "MineFilm", inputs: {} },
      "2": { class_type: "MineEdit", inputs: { film: ["1", 0] } },
      "3": sink,
      ...(isDecoded ? { "4": { class_type: "PreviewImage", inputs: { images: ["3", 0] } } } : {}),
    },
    {
      declared,
      cache,
      scope: "w",
      limits: { memoryBytes: 32 * 1024 ** 2 },
      services: {
        async callModel({ input }) {
          const { film: encoded = "" } = JSON.parse(Buffer.from(input).toString("utf8"));
          sent.push(Buffer.from(encoded, "base64"));
          return { contentType: "video/mp4", bytes: film };
        },
      },
    },
  );
}

test("a film that is only saved or sent on is never decoded, and a later job reuses its file", { skip }, async () => {
  const film = someFilm();
  const cache = new ResultCache(64 * 1024 ** 2);
  const sent: Buffer[] = [];
  const first = await run(film, "a", false, cache, sent);
  assert.equal(first.result.status, "succeeded", JSON.stringify(first.result));
  assert.deepEqual([sent.length, sent[1]?.equals(film)], [2, true]);
  assert.deepEqual(
    first.saved.map(({ kind }) => kind),
    ["video"],
  );
  const again = await run(film, "b", false, cache, sent);
  assert.equal(again.result.status, "succeeded", JSON.stringify(again.result));
  assert.deepEqual([sent.length, again.ran], [2, ["3"]]);
  assert.equal(again.saved.length, 1);
});

test("a film is decoded for a node that asks for its frames", { skip }, async () => {
  const { result } = await run(someFilm(), "a", true, new ResultCache(64 * 1024 ** 2));
  assert.equal(result.status, "failed");
  assert.match(JSON.stringify(result), /out_of_memory/);
  assert.match(JSON.stringify(result), /GetVideoComponents/);
});
