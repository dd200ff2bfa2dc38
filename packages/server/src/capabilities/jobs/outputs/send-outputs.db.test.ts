// Outputs sent to the target of their job: a real receiver on loopback, real bytes, two processes.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { systemClock } from "../../../foundation/clock.ts";
import { sql } from "../../../foundation/database/index.ts";
import { createGuardedClient } from "../../../foundation/http/outgoing/guarded-client.ts";
import { aReceiver, type Receiver, status } from "../../../foundation/http/receiver.fixture.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { RunningJobs } from "../create-jobs.ts";
import type { JobId } from "../job.ts";
import { aJobsFixture, bytesOf, claim, type JobsFixture, succeeded } from "../jobs.fixture.ts";

const secret = Buffer.alloc(32, 7);

describe("output targets", { timeout: 900_000 }, () => {
  let fixture: JobsFixture;
  let jobs: RunningJobs;
  let other: RunningJobs;
  let receiver: Receiver;
  let workspaceId: WorkspaceId;
  const running = new AbortController().signal;
  before(async () => {
    fixture = await aJobsFixture();
    receiver = await aReceiver();
    workspaceId = await fixture.aWorkspace();
    const outputs = {
      assets: fixture.assets,
      client: createGuardedClient({
        policy: { allowHttp: false, developmentTargets: [receiver.target] },
        clock: systemClock,
      }),
      sign: async (_workspaceId: WorkspaceId, id: string, text: string) => ({
        "webhook-id": id,
        "webhook-signature": createHmac("sha256", secret).update(`${id}.${text}`).digest("base64"),
      }),
      userAgent: "Atelier/test",
    };
    jobs = fixture.aProcess({ outputs });
    other = fixture.aProcess({ outputs });
  });
  after(async () => {
    assert.deepEqual(await fixture.broken(), []);
    receiver.close();
    await fixture.close();
  });

  async function ran(target: object, names: readonly string[]): Promise<JobId> {
    const outputTarget = target as never;
    const jobId = await fixture.submitted(jobs, workspaceId, { outputTarget });
    const [claimed] = await claim(jobs, fixture.poolId);
    assert.equal(claimed?.lease.jobId, jobId);
    for (const [index, name] of names.entries()) {
      const source = bytesOf(`bytes of ${name}`);
      await jobs.workers.output(claimed.lease, { nodeId: "9", index, name, contentType: "text/plain", source });
    }
    await jobs.workers.finish(claimed.lease, succeeded);
    return jobId;
  }
  const delivery = async (jobId: JobId) =>
    (await fixture.aProcess().get({ jobId, workspaceId, poolId: fixture.poolId })).delivery;
  const targets = async (jobId: JobId) =>
    (await fixture.db.query(sql`select from job_targets where job_id = ${jobId}`)).length;
  const makeDue = (jobId: JobId) =>
    fixture.db.execute(sql`update output_deliveries set due_at = now() where job_id = ${jobId}`);
  const round = async (process: RunningJobs) => {
    receiver.received.length = 0;
    await process.sendOutputs(running);
    return receiver.received;
  };

  test("each output arrives as it is, signed, under its name; then the target is forgotten", async () => {
    receiver.answer = status(201);
    const url = `http://${receiver.target}/in/{job_id}/{name}`;
    const jobId = await ran({ kind: "https", url }, ["a b.txt", "sub/c.txt"]);
    assert.deepEqual(await delivery(jobId), { delivered: 0, pending: 2, failed: 0, lastError: null });
    const [row] = await fixture.db.query<{ envelope: string }>(
      sql`select envelope from job_targets where job_id = ${jobId}`,
    );
    assert.ok(row && !row.envelope.includes(receiver.target));
    const got = [...(await round(other))].sort((one, two) => (one.path < two.path ? -1 : 1));
    assert.deepEqual(
      got.map(({ path, body }) => [path, body.toString()]),
      [
        [`/in/${jobId}/a%20b.txt`, "bytes of a b.txt"],
        [`/in/${jobId}/sub/c.txt`, "bytes of sub/c.txt"],
      ],
    );
    const [{ headers } = { headers: {} as Record<string, string> }] = got;
    const hash = String(headers["x-service-content-hash"]);
    assert.match(hash, /^blake3:[0-9a-f]{64}$/);
    const signature = createHmac("sha256", secret).update(`${headers["webhook-id"]}.${hash}`).digest("base64");
    assert.deepEqual([headers["webhook-signature"], headers["content-length"]], [signature, "16"]);
    assert.deepEqual(await delivery(jobId), { delivered: 2, pending: 0, failed: 0, lastError: null });
    assert.equal(await targets(jobId), 0);
    assert.deepEqual(await round(jobs), []);
  });

  test("a bucket gets a signed PUT under its prefix, and no secret on the wire", async () => {
    receiver.answer = status(200);
    const jobId = await ran(
      {
        kind: "s3",
        endpoint: `http://${receiver.target}`,
        bucket: "pictures",
        prefix: "out/",
        region: "eu-1",
        accessKeyId: "AKIA",
        secretAccessKey: "very-secret",
      },
      ["one.txt"],
    );
    const [got] = await round(jobs);
    assert.equal(got?.path, "/pictures/out/one.txt");
    assert.match(
      String(got?.headers["authorization"]),
      /^AWS4-HMAC-SHA256 Credential=AKIA\/\d{8}\/eu-1\/s3\/aws4_request, /,
    );
    assert.ok(!JSON.stringify(got?.headers).includes("very-secret"));
    assert.equal((await delivery(jobId))?.delivered, 1);
  });

  test("a refused output is retried by any process, ten times at most, and the job still succeeds", async () => {
    receiver.answer = status(503);
    const jobId = await ran({ kind: "https", url: `http://${receiver.target}/{name}` }, ["x.txt"]);
    assert.equal((await round(jobs)).length, 1);
    assert.deepEqual(await round(other), [], "not before its time");
    assert.deepEqual(await delivery(jobId), {
      delivered: 0,
      pending: 1,
      failed: 0,
      lastError: "The target answered 503.",
    });
    for (let attempt = 2; attempt <= 10; attempt++) {
      assert.equal(await targets(jobId), 1);
      await makeDue(jobId);
      assert.equal((await round(attempt % 2 === 0 ? other : jobs)).length, 1, `attempt ${attempt}`);
    }
    assert.deepEqual(await delivery(jobId), {
      delivered: 0,
      pending: 0,
      failed: 1,
      lastError: "The target answered 503.",
    });
    assert.equal(await targets(jobId), 0);
    await makeDue(jobId);
    assert.deepEqual(await round(jobs), []);
    const job = await other.get({ jobId, workspaceId, poolId: fixture.poolId });
    assert.deepEqual([job.state, job.outputs.length], ["succeeded", 1]);
  });

  test("what a dead process held becomes free when its lease ends", async () => {
    receiver.answer = status(200);
    const jobId = await ran({ kind: "https", url: `http://${receiver.target}/{name}` }, ["y.txt"]);
    await fixture.db.execute(sql`
      update output_deliveries set attempts = 1, due_at = now() + interval '2 minutes' where job_id = ${jobId}`);
    assert.deepEqual(await round(other), []);
    await makeDue(jobId);
    assert.equal((await round(other)).length, 1);
    assert.equal((await delivery(jobId))?.delivered, 1);
  });

  test("a target is forgotten when its job ended without outputs, and a redirect leads nowhere", async () => {
    const empty = await ran({ kind: "https", url: `http://${receiver.target}/{name}` }, []);
    receiver.answer = status(302, { location: `http://${receiver.target}/elsewhere` });
    const moved = await ran({ kind: "https", url: `http://${receiver.target}/{name}` }, ["z.txt"]);
    assert.deepEqual(
      (await round(jobs)).map(({ path }) => path),
      ["/z.txt"],
    );
    assert.equal((await delivery(moved))?.lastError, "The target answered 302.");
    const { forgetTargets } = await import("./target-store.ts");
    await forgetTargets(fixture.db, null);
    assert.deepEqual([await targets(empty), await targets(moved)], [0, 1]);
  });
});
