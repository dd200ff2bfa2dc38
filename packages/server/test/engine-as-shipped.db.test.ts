// One workspace's hard graphs and another's short ones, and pictures that are only shown, on a server as the README
// starts it.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type AsShippedServer, startAsShipped } from "./support/as-shipped-server.ts";
import { until } from "./support/server-process.ts";

let server: AsShippedServer;
before(async () => {
  server = await startAsShipped({
    env: { ATELIER_ENGINE_SLOTS: "2", ATELIER_NODE_SECONDS_MAX: "4", ATELIER_SANDBOX: "off" },
  });
});
after(() => server.close());

const json = { "content-type": "application/json" };

async function submit(workflow: object) {
  const answer = await server.call({
    method: "POST",
    path: "/api/v2/jobs",
    headers: json,
    body: JSON.stringify({ workflow }),
  });
  assert.equal(answer.status, 201, answer.text);
  return { id: String(memberOf(answer.json(), "id")) };
}

async function ended(id: string): Promise<{ readonly status: unknown; readonly error: unknown }> {
  let job: unknown = null;
  await until("the job's end", async () => {
    job = (await server.call({ path: `/api/v2/jobs/${id}` })).json();
    return ["succeeded", "failed", "canceled"].includes(String(memberOf(job, "status")));
  });
  return { status: memberOf(job, "status"), error: memberOf(job, "error") };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : null;
}

const replacing = (string: string, regex_pattern: string) => ({
  1: { class_type: "RegexReplace", inputs: { string, regex_pattern, replace: "" } },
  2: { class_type: "PreviewAny", inputs: { source: ["1", 0] } },
});
const shown = (color: number) => ({
  1: { class_type: "EmptyImage", inputs: { width: 32, height: 32, batch_size: 1, color } },
  2: { class_type: "SaveImageWebsocket", inputs: { images: ["1", 0] } },
});

describe("the engine of a server started as the README says", { timeout: 900_000 }, () => {
  test("finishes two graphs with a catastrophic pattern, and they hold no slot", async () => {
    const two = await Promise.all([1, 2].map(() => submit(replacing(`${"a".repeat(40)}!`, "(a+)+$"))));
    for (const { id } of two) assert.equal((await ended(id)).status, "succeeded");
  });

  test("fails a job whose node computes too long, with node and class, and runs the next", async () => {
    // Tries some 250 parts at each of a million positions, which takes many times the limit; every other node here takes
    // a small part of it, even on a busy machine.
    const { id } = await submit(replacing("a".repeat(1_000_000), "(?:a?){250}b"));
    const job = await ended(id);
    assert.equal(job.status, "failed", JSON.stringify(job));
    const error = JSON.stringify(job.error);
    assert.match(error, /timed_out/);
    assert.match(error, /RegexReplace/);
    assert.equal((await ended((await submit(replacing("a", "a"))).id)).status, "succeeded");
  });

  test("shows the preview of a job that ended at once, by polling and in the stream, every time", async () => {
    for (const color of [0xff0000, 0xff0000]) {
      const { id } = await submit(shown(color));
      const stream = await server.call({ path: `/api/v2/jobs/${id}/events` });
      assert.match(stream.text, /event: preview\n(?:id: .*\n)?data: .*image\/jpeg/);
      assert.match(stream.text, /event: status\n(?:id: .*\n)?data: .*succeeded[\s\S]*$/);
      const preview = await server.call({ path: `/api/v2/jobs/${id}/preview` });
      assert.deepEqual([preview.status, preview.headers["content-type"]], [200, "image/jpeg"]);
      assert.match(
        (await server.call({ path: `/api/v2/jobs/${id}` })).text,
        /"class_type":"SaveImageWebsocket","state":"done"/,
      );
      const late = await server.call({ path: `/api/v2/jobs/${id}/events` });
      assert.match(late.text, /event: preview/);
    }
  });
});
