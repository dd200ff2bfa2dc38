import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { clientCommands } from "../client-commands.ts";
import { readCall } from "../read-call.ts";
import { ClientProblem } from "../server/client-problem.ts";
import { submitOptions } from "./submit-options.ts";

const [listed] = clientCommands.filter(({ name }) => name === "run");
assert.ok(listed);
const optionsOf = (...words: string[]) => submitOptions({ call: readCall(listed, ["fox.json", ...words]) });

test("outputs are delivered to an address, or to the bucket named in a file", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-cli-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const url = "https://files.example.com/{name}";
  assert.deepEqual(optionsOf("--deliver-to", url).outputTarget, { kind: "https", url });
  const bucket = {
    kind: "s3",
    endpoint: "https://s3.example.com",
    bucket: "b",
    access_key_id: "a",
    secret_access_key: "s",
  };
  const file = join(folder, "bucket.json");
  writeFileSync(file, JSON.stringify(bucket));
  assert.deepEqual(optionsOf("--deliver-to", file).outputTarget, bucket);
  writeFileSync(file, "[]");
  assert.throws(
    () => optionsOf("--deliver-to", file),
    (error) => error instanceof ClientProblem && error.message === `${file} contains no output target.`,
  );
  assert.equal("outputTarget" in optionsOf(), false);
});
