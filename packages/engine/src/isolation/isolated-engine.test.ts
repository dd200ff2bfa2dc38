// The engine behind each wall that this machine has: jobs work as without one, and limits still end them.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import sharp from "sharp";
import { ChildFolder } from "../child-folder.ts";
import type { AssetContent, EngineHost, EngineJob } from "../engine-host.ts";
import { openEnginePool } from "../engine-pool.ts";
import { canHold, isolationLevels } from "./levels.ts";
import { openIsolation } from "./open-isolation.ts";

const folder = await mkdtemp(join(tmpdir(), "atelier-isolated-"));
after(() => rm(folder, { recursive: true, force: true }));

const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: "#ff0000" } })
  .png()
  .toBuffer();
const invert: EngineJob["graph"] = {
  "1": { class_type: "LoadImage", inputs: { image: "a.png" } },
  "2": { class_type: "ImageInvert", inputs: { image: ["1", 0] } },
  "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "a" } },
};
const stuck: EngineJob["graph"] = {
  "1": {
    class_type: "RegexReplace",
    inputs: { string: "a".repeat(1_000_000), regex_pattern: "(?:a?){250}b", replace: "" },
  },
  "2": { class_type: "PreviewAny", inputs: { source: ["1", 0] } },
};

function hostOf(content: AssetContent): EngineHost & { readonly outputs: Buffer[] } {
  const outputs: Buffer[] = [];
  return {
    outputs,
    readAsset: async () => content,
    callModel: () => Promise.reject(new Error("there is none")),
    saveOutput: async ({ path, sizeBytes }) => {
      const bytes = await readFile(path);
      assert.equal(bytes.length, sizeBytes);
      outputs.push(bytes);
    },
    onEvent: () => {},
  };
}

for (const level of isolationLevels.filter((each) => canHold(each, "engine"))) {
  const isolation = await openIsolation(level);
  const skip = "problem" in isolation ? isolation.problem : false;
  describe(`the engine at level ${level}`, { skip, concurrency: false }, () => {
    const pool = openEnginePool({
      size: 1,
      scratchDirectory: folder,
      ...("problem" in isolation ? {} : { isolation }),
    });
    after(() => pool.close());

    test("a picture goes in and out, from bytes and from a file of ours that the child cannot open", async () => {
      const ours = join(folder, `${level}.png`);
      await writeFile(ours, picture, { mode: 0o600 });
      for (const content of [{ bytes: picture }, { path: ours }]) {
        const host = hostOf(content);
        const result = await pool.run({ id: "picture", graph: invert }, host);
        assert.equal(result.status, "succeeded", JSON.stringify(result));
        const { data } = await sharp(host.outputs[0]).raw().toBuffer({ resolveWithObject: true });
        assert.deepEqual([...data.subarray(0, 3)], [0, 255, 255]);
      }
    });

    test("the child keeps its process, and its memory is seen from outside", async () => {
      const [before] = pool.processIds;
      await pool.run({ id: "again", graph: invert }, hostOf({ bytes: picture }));
      assert.deepEqual(pool.processIds, [before]);
      if (process.platform !== "linux") return;
      const status = await readFile(`/proc/${before}/status`, "latin1");
      assert.match(status, /^Name:\s+(node|MainThread)/m);
      assert.ok(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) > 30_000);
      // 2: a filter of system calls.
      assert.match(status, level === "bubblewrap" ? /^Seccomp:\s+2$/m : /^Seccomp:\s+0$/m);
    });

    test("a node that never ends is stopped with its process, and the next job runs", async () => {
      const [child] = pool.processIds;
      const result = await pool.run({ id: "stuck", graph: stuck, limits: { seconds: 1 } }, hostOf({ bytes: picture }));
      assert.equal(result.status === "failed" && result.failure.code, "timed_out");
      const next = await pool.run({ id: "next", graph: invert }, hostOf({ bytes: picture }));
      assert.equal(next.status, "succeeded");
      assert.equal(existsSync(`/proc/${child}`), false);
    });

    test("a job that takes too much memory ends alone", async () => {
      const small = openEnginePool({
        size: 1,
        scratchDirectory: folder,
        memoryMegabytesMax: 64,
        ...("problem" in isolation ? {} : { isolation }),
      });
      const graph = {
        "1": { class_type: "EmptyImage", inputs: { width: 4096, height: 4096, batch_size: 1, color: 0 } },
        "2": { class_type: "ImageInvert", inputs: { image: ["1", 0] } },
        "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "a" } },
      };
      const result = await small.run({ id: "large", graph }, hostOf({ bytes: picture }));
      await small.close();
      assert.equal(result.status === "failed" && result.failure.code, "out_of_memory");
    });
  });
}

test("nothing is left of children that ended", async () => {
  const left = (await readdir(folder)).filter((name) => name.startsWith("atelier-engine-"));
  assert.deepEqual(left, []);
});

describe("a child that names files which are not its own", () => {
  const secret = join(folder, "secret");

  test("a path outside, another job's output, a link and a folder are refused", async (context) => {
    const shared = new ChildFolder(folder);
    context.after(() => shared.remove());
    await writeFile(secret, "ours");
    const job = shared.forJob();
    await symlink(secret, join(shared.path, "out", "1-output-1"));
    for (const named of [secret, "../secret", "out/../../secret", "out/2-output-1", "out/1-output-1"])
      await assert.rejects(job.takeOutput(named), Error, named);
    await job.empty();
    assert.equal(await readFile(secret, "utf8"), "ours");
  });
});
