import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { freePort } from "../../../server/test/support/free-port.ts";
import { ApplicationClient, recordOf, until } from "../../test/support/application-client.ts";
import { spawnSandboxApplication } from "./spawn-application.ts";

const sleeping = {
  "1": { class_type: "TestSleep", inputs: { value: 1, seconds: 60 } },
  "2": { class_type: "PreviewAny", inputs: { source: ["1", 0] } },
};
const saving = (bytes: number) => ({
  "2": { class_type: "TestFile", inputs: { bytes, extension: "bin", key: "files", filename_prefix: "kept" } },
});

test("killed during a job it is gone at once; started again on its home and port it has its files and nothing else", async () => {
  const home = await mkdtemp(join(tmpdir(), "atelier-application-"));
  // Chosen beforehand: another program might have taken a system-assigned port by the time the application comes back.
  const first = await spawnSandboxApplication({ home, port: await freePort() });
  let second = first;
  try {
    const client = await new ApplicationClient(first.url, "client").connect();
    const saved = await client.submit(saving(1));
    await client.stored(saved);
    const lost = await client.submit(sleeping);
    await until(() => client.of("progress").some((data) => data["prompt_id"] === lost));
    await first.kill();
    await until(() => !client.isOpen);
    await assert.rejects(client.get("/queue"));
    second = await spawnSandboxApplication({ home, port: first.port });
    assert.equal(second.url, first.url);
    assert.notEqual(second.pid, first.pid);
    assert.deepEqual([await client.history(saved), await client.history(lost)], [{}, {}]);
    const again = new ApplicationClient(second.url, randomUUID());
    const entry = await again.stored(await again.submit(saving(2)));
    assert.partialDeepStrictEqual(recordOf(entry["outputs"])["2"], { files: [{ filename: "kept_00002_.bin" }] });
    assert.deepEqual((await readdir(join(home, "output"))).toSorted(), ["kept_00001_.bin", "kept_00002_.bin"]);
    await again.post("/sandbox/faults", { crashesMidJob: true });
    await again.submit(sleeping).catch(() => {});
    await second.ended;
  } finally {
    await Promise.all([first.kill(), second.kill()]);
    await rm(home, { recursive: true, force: true });
  }
});
