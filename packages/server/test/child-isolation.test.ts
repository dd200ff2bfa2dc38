// The children of the server do their work at every level that this machine has and that can hold them.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, describe, test } from "node:test";
import { type IsolationLevel, isolationLevels, openIsolation } from "@atelier/engine/isolation";
import sharp from "sharp";
import { createShrinker } from "../src/capabilities/assets/index.ts";
import { badgeProof } from "../src/capabilities/badge-proof/index.ts";
import { createArchiveChecks } from "../src/capabilities/registry/checks/archive-checks.ts";
import { builtInRules } from "../src/capabilities/registry/checks/built-in-rules.ts";
import { sourceOf } from "../src/foundation/byte-source.ts";
import { silentLog } from "../src/foundation/log.ts";
import { chooseIsolation } from "../src/foundation/threads/choose-isolation.ts";
import { isolationFinding, lookAtIsolation } from "../src/foundation/threads/isolation-findings.ts";
import { craftZip, manifestText } from "./support/craft-zip.ts";

const folder = await mkdtemp(join(tmpdir(), "atelier-isolated-children-"));
// Children do not keep this process running while tests wait for them.
const awake = setInterval(() => {}, 1000);
after(async () => {
  clearInterval(awake);
  await rm(folder, { recursive: true, force: true });
});

const nothing = { home: folder, blobs: null, secretsFile: null, secretsFurtherFile: null };

for (const level of isolationLevels) {
  const isolation = await openIsolation(level);
  if ("problem" in isolation) {
    test(`${level} stops the start where it does not work`, async () => {
      await assert.rejects(
        chooseIsolation({ ...nothing, isolation: level })(),
        /ATELIER_ISOLATION is \w+, which does not work here/,
      );
      assert.equal((await lookAtIsolation({ ...nothing, isolation: level })).state, "problem");
    });
    continue;
  }

  describe(`children at level ${level}`, { concurrency: false }, () => {
    test("badges are proven", async () => {
      const proof = badgeProof({ creditsPerUsd: 211, timeoutMs: 120_000, isolation });
      const depends_on = { widgets: [], inputs: [], input_groups: [] };
      const proven = await proof.prove({ engine: "jsonata", depends_on, expr: '{"type": "usd", "usd": 0.45}' });
      await proof.close();
      assert.deepEqual(proven.findings, []);
    });

    test("archives are checked", async () => {
      const checks = await createArchiveChecks({ folder, ruleSet: builtInRules, log: silentLog, isolation });
      const declared = { publisherId: "acme", nodeId: "pack", version: "1.0.0" };
      const bytes = craftZip([{ name: "pyproject.toml", bytes: manifestText(declared) }]);
      const stream = Readable.from([bytes]);
      const archive = { size: bytes.length, stream, source: sourceOf(stream) };
      const report = await checks.check(archive, declared, new AbortController().signal);
      await checks.close();
      assert.equal(report?.verdict, "clean", JSON.stringify(report));
    });

    test("pictures are made small", async () => {
      const shrinker = createShrinker({ log: silentLog, isolation });
      const bytes = await sharp({ create: { width: 640, height: 480, channels: 3, background: "#f00" } })
        .png()
        .toBuffer();
      const small = (await shrinker.shrink(bytes, 128)) ?? assert.fail("no picture");
      await shrinker.close();
      assert.equal((await sharp(small).metadata()).width, 128);
    });
  });
}

describe("what doctor says", () => {
  const levels = (level: IsolationLevel) => [{ kind: "engine" as const, level }];
  const confine = () => assert.fail("only words");

  test("the level of each kind, and why not a stronger one", () => {
    const reason = "bubblewrap is not installed";
    const refused = [{ level: "bubblewrap" as const, reason }];
    const well = isolationFinding({ levels: levels("user"), refused, confine });
    assert.deepEqual([well.state, well.message], ["ok", `engine: user (not bubblewrap: ${reason})`]);
    const weak = isolationFinding({ levels: levels("process"), refused, confine });
    assert.equal(weak.state, "warning");
    assert.match(weak.mend ?? "", /bubblewrap is not installed/);
  });
});
