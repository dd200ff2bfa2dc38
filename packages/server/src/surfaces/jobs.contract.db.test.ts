// One suite for jobs over all surfaces: the same client, the same links, the same answers. Differences are listed in
// `jobSurfaces` and nowhere else. The client follows links and builds none.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Job as JobSchema } from "@atelier/contract";
import { newId } from "../foundation/ids.ts";
import { compileSchema } from "../foundation/json/schema.ts";
import { circularSubgraphs, editorGraph, subgraphOf } from "./editor-graphs.fixture.ts";
import {
  aGraph,
  aWorker,
  clientOf,
  eventually,
  type HandWorker,
  idOf,
  jobSurfaces,
  jsonType,
  submitTo,
} from "./jobs.fixture.ts";
import { aForm, aHouse, type Client, errorCode, type House, textOf, toRecord } from "./surfaces.fixture.ts";

for (const [name, different] of Object.entries(jobSurfaces)) {
  describe(`v2 jobs on the ${name} surface`, { timeout: 900_000 }, () => {
    let house: House;
    let client: Client;
    let worker: HandWorker;
    const post = (target: string, body?: unknown) =>
      client.ask(target, {
        method: "POST",
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: jsonType }),
      });
    const submit = (body: unknown = { workflow: aGraph() }, headers: Record<string, string> = {}) =>
      submitTo(client, body, headers);

    before(async () => {
      house = await aHouse();
      client = clientOf(house, different);
      worker = aWorker(house, different.pool(house));
    });
    after(async () => {
      await client.close();
      await house.close();
    });

    test("a job goes its way from submission to its outputs, by links alone", async () => {
      const made = await submit({ workflow: aGraph(), metadata: "shelf 7", priority: 3 });
      assert.equal(made.status, 201, made.text);
      const job = made.json();
      const urls = toRecord(job["urls"]);
      assert.deepEqual(compileSchema(JobSchema).violations(job), []);
      assert.deepEqual(
        [job["status"], job["metadata"], job["priority"], job["outputs"], job["error"], job["started_at"]],
        ["queued", "shelf 7", 3, [], null, null],
      );
      assert.equal(made.headers["location"], urls["self"]);
      assert.equal(made.headers["idempotent-replayed"], undefined);
      const run = await worker.claim(textOf(job["id"]));
      const started = (await client.ask(textOf(urls["self"]))).json();
      assert.deepEqual([started["status"], started["queue_position"]], ["running", null]);
      await run.output("first.txt");
      const half = (await client.ask(textOf(urls["self"]))).json();
      assert.equal(Array.isArray(half["outputs"]) && half["outputs"].length, 1, "outputs grow while it runs");
      run.progress(0.5);
      await run.output("second.txt");
      await run.finish();
      const read = await client.ask(textOf(urls["self"]));
      const ended = read.json();
      assert.deepEqual(compileSchema(JobSchema).violations(ended), []);
      assert.equal(ended["status"], "succeeded");
      const metrics = toRecord(ended["metrics"]);
      assert.ok(Number(metrics["queue_ms"]) >= 0 && Number(metrics["execution_ms"]) >= 0);
      assert.ok(Array.isArray(ended["outputs"]));
      for (const each of ended["outputs"]) {
        const output = toRecord(each);
        assert.equal(output["url_expires_at"], different.showsExpiry ? ended["expires_at"] : null);
        assert.equal(output["job_id"], ended["id"]);
        const content = await client.ask(textOf(output["url"]));
        const bytes = content.status === 302 ? await client.ask(textOf(content.headers["location"]), {}, {}) : content;
        assert.equal(bytes.text, output["name"]);
        assert.equal((await client.ask(textOf(toRecord(output["urls"])["self"]))).json()["job_id"], ended["id"]);
      }
      // The second time, an ended job is answered from memory, byte for byte.
      assert.equal((await client.ask(textOf(urls["self"]))).text, read.text);
    });

    test("the graph comes back with every digit of its seeds, and as executed if the worker reported it", async () => {
      const graph = JSON.stringify(aGraph()).replace('"out"', '"out 18446744073709551615"');
      const body = `{"workflow":${graph.replace('"color":255', '"color":255,"ignored":18446744073709551615')}}`;
      const made = await submit(body);
      assert.equal(made.status, 201, made.text);
      const target = textOf(toRecord(made.json()["urls"])["workflow"]);
      const read = await client.ask(target);
      assert.match(read.text, /"ignored":18446744073709551615/);
      assert.equal(read.json()["format"], "api");
      const run = await worker.claim(idOf(made));
      assert.equal(run.claimed.nodesTotal, 3);
      const executed = { kind: "succeeded", outputsReused: true, executedWorkflow: Buffer.from('{"9":1}') } as const;
      await run.finish(executed);
      assert.deepEqual((await client.ask(target)).json(), { workflow: { 9: 1 }, format: "api" });
      const job = (await client.ask(textOf(toRecord(made.json()["urls"])["self"]))).json();
      assert.equal(job["outputs_reused"], true);
    });

    test("GET /workflow shows the newest executed graph, or one by its id, exactly where the surface says so", async () => {
      const [first, second] = [await submit({ workflow: aGraph(1) }), await submit({ workflow: aGraph(2) })];
      await (await worker.claim(idOf(first))).finish();
      await (await worker.claim(idOf(second))).finish();
      const stopped = await submit({ workflow: aGraph(4) });
      const run = await worker.claim(idOf(stopped));
      await post(`/api/jobs/${idOf(stopped)}/cancel`);
      await run.finish({ kind: "canceled" });
      const waiting = await submit({ workflow: aGraph(3) });
      const never = await submit({ workflow: aGraph(5) });
      await post(`/api/jobs/${idOf(never)}/cancel`);
      const newest = await client.ask("/workflow");
      const byId = await client.ask(`/workflow?job_id=${idOf(first)}`);
      if (!different.showsExecuted) {
        assert.deepEqual([newest.status, byId.status, errorCode(newest)], [404, 404, "not_found"]);
      } else {
        // Canceled half-way, it still counts as executed; canceled before, or still waiting, it does not.
        assert.deepEqual(newest.json(), { workflow: JSON.parse(JSON.stringify(aGraph(4))), format: "api" });
        assert.deepEqual(byId.json()["workflow"], JSON.parse(JSON.stringify(aGraph(1))));
        for (const query of [
          `job_id=${newId()}`,
          "job_id=nonsense",
          "job_id=",
          `job_id=${idOf(first)}&job_id=${idOf(second)}`,
        ]) {
          assert.equal((await client.ask(`/workflow?${query}`)).status, 404, query);
        }
      }
      await post(textOf(toRecord(waiting.json()["urls"])["cancel"]));
    });

    test("two equal submissions under one key are one job, in flight and later; another body is refused; the key finds it", async () => {
      const key = `key-${newId()}`;
      const body = { workflow: aGraph(), metadata: key };
      const twins = await Promise.all(Array.from({ length: 8 }, () => submit(body, { "idempotency-key": key })));
      assert.deepEqual(new Set(twins.map(({ status }) => status)), new Set([201]));
      assert.equal(new Set(twins.map(idOf)).size, 1);
      assert.equal(twins.filter(({ headers }) => headers["idempotent-replayed"] === undefined).length, 1);
      const spelled = `{ "metadata": ${JSON.stringify(key)}, "extra_data": {"api_key_service": "service-x"}, "workflow": ${JSON.stringify(aGraph())} }`;
      const again = await submit(spelled, { "idempotency-key": key });
      assert.deepEqual(
        [again.status, idOf(again), again.headers["idempotent-replayed"]],
        [201, idOf(twins[0] ?? again), "true"],
      );
      const other = await submit({ workflow: aGraph(9) }, { "idempotency-key": key });
      assert.deepEqual([other.status, errorCode(other)], [422, "idempotency_key_reuse"]);
      const found = (await client.ask(`/api/v2/jobs?idempotency_key=${key}`)).json();
      assert.ok(Array.isArray(found["data"]));
      assert.deepEqual(
        found["data"].map((job) => toRecord(job)["id"]),
        [idOf(again)],
      );
      await post(`/api/v2/jobs/${idOf(again)}/cancel`);
    });

    test("a submission that was refused leaves its key free", async () => {
      const key = `key-${newId()}`;
      const refused = await submit(
        { workflow: { 1: { class_type: "Nothing", inputs: {} } } },
        { "idempotency-key": key },
      );
      assert.equal(refused.status, 422);
      const made = await submit(undefined, { "idempotency-key": key });
      assert.deepEqual([made.status, made.headers["idempotent-replayed"]], [201, undefined]);
      await post(`/api/v2/jobs/${idOf(made)}/cancel`);
    });

    test("the list goes newest first through every page and filter", async () => {
      const metadata = `list ${newId()}`;
      const ids: string[] = [];
      for (let count = 0; count < 5; count++) ids.unshift(idOf(await submit({ workflow: aGraph(), metadata })));
      const canceled = ids[2] ?? "";
      await post(`/api/jobs/${canceled}/cancel`);
      const seen: unknown[] = [];
      let target: string | undefined =
        `/api/v2/jobs?metadata=${encodeURIComponent(metadata)}&status=queued,canceled&limit=2`;
      for (let pages = 0; target !== undefined; pages++) {
        assert.ok(pages < 4, "the walk ends");
        const page = (await client.ask(target)).json();
        assert.ok(Array.isArray(page["data"]));
        seen.push(...page["data"].map((job) => toRecord(job)["id"]));
        assert.equal(page["has_more"], page["next"] !== undefined);
        target = page["next"] === undefined ? undefined : textOf(page["next"]);
      }
      assert.deepEqual(seen, ids);
      const some = (await client.ask(`/api/v2/jobs?status=canceled&metadata=${encodeURIComponent(metadata)}`)).json();
      assert.ok(Array.isArray(some["data"]));
      assert.deepEqual(
        some["data"].map((job) => toRecord(job)["id"]),
        [canceled],
      );
      for (const [query, code] of [
        ...["status=done", "limit=x", "metadata=a&metadata=b"].map((each) => [each, "invalid_request"] as const),
        ["cursor=nonsense", "invalid_cursor"],
        ["metadata[a]=1&metadata[b]=1&metadata[c]=1&metadata[d]=1", "invalid_metadata_filter"],
      ] as const) {
        const refused = await client.ask(`/api/v2/jobs?${query}`);
        assert.deepEqual([refused.status, errorCode(refused)], [400, code], query);
      }
      await post("/api/jobs/cancel", { job_ids: ids });
    });

    test("a map of labels comes back as it went, and jobs are found by all labels that are asked for", async () => {
      const run = newId();
      const labelled = async (text: string) => {
        const made = await submit(`{"workflow":${JSON.stringify(aGraph())},"metadata":${text}}`);
        assert.equal(made.status, 201, made.text);
        assert.deepEqual(made.json()["metadata"], JSON.parse(text));
        assert.deepEqual(compileSchema(JobSchema).violations(made.json()), []);
        return idOf(made);
      };
      const plain = await labelled(`{"run":"${run}","shot":"1"}`);
      const odd = await labelled(`{"run":"${run}","__proto__":"p","constructor":"é&=","shot":"2"}`);
      const text = await submit({ workflow: aGraph(), metadata: JSON.stringify({ run }) });
      assert.equal(text.json()["metadata"], JSON.stringify({ run }));
      const found = async (filter: Record<string, string>, more = "") => {
        const query = new URLSearchParams(Object.entries(filter).map(([key, value]) => [`metadata[${key}]`, value]));
        const page = (await client.ask(`/api/v2/jobs?${query}${more}`)).json();
        assert.ok(Array.isArray(page["data"]), JSON.stringify(page));
        return page["data"].map((job) => toRecord(job)["id"]);
      };
      assert.deepEqual(await found({ run }), [odd, plain]);
      assert.deepEqual(await found({ run, shot: "1" }), [plain]);
      assert.deepEqual(await found(JSON.parse(`{"__proto__":"p","constructor":"é&=","run":"${run}"}`)), [odd]);
      assert.deepEqual(await found({ run, shot: "3" }), []);
      assert.deepEqual(await found({ run: "" }), []);
      await post(`/api/jobs/${plain}/cancel`);
      assert.deepEqual(await found({ run }, "&status=canceled"), [plain]);
      assert.deepEqual(await found({ run }, "&status=queued"), [odd]);
      const first = (await client.ask(`/api/v2/jobs?metadata[run]=${run}&limit=1`)).json();
      const next = (await client.ask(textOf(first["next"]))).json();
      assert.ok(Array.isArray(next["data"]));
      assert.deepEqual([toRecord(next["data"][0])["id"], next["has_more"]], [plain, false]);
      const foreign = await client.ask(`/api/v2/jobs?metadata[run]=other&cursor=${textOf(first["next_cursor"])}`);
      assert.equal(foreign.status, 400, "a cursor belongs to its filters");
      for (const metadata of [{ "": "x" }, { a: 1 }, { a: "x".repeat(257) }, { "a b": "x" }, { a: "\0" }]) {
        const refused = await submit({ workflow: aGraph(), metadata });
        assert.deepEqual([refused.status, errorCode(refused)], [422, "metadata_invalid"], JSON.stringify(metadata));
      }
      await post("/api/jobs/cancel", { job_ids: [odd, idOf(text)] });
    });

    test("cancel: queued, running, ended, unknown and malformed, in its three forms", async () => {
      const queued = idOf(await submit());
      const first = await post(`/api/v2/jobs/${queued}/cancel`);
      assert.deepEqual([first.status, first.json()["status"]], [200, "canceled"]);
      assert.equal((await post(`/api/v2/jobs/${queued}/cancel`)).json()["status"], "canceled", "can be repeated");
      const made = idOf(await submit());
      const run = await worker.claim(made);
      assert.deepEqual((await post(`/api/jobs/${made}/cancel`)).json(), { cancelled: true });
      assert.deepEqual((await post(`/api/jobs/${made}/cancel`)).json(), { cancelled: false });
      assert.equal((await client.ask(`/api/v2/jobs/${made}`)).json()["status"], "canceling");
      await run.finish({ kind: "canceled" });
      assert.equal((await client.ask(`/api/v2/jobs/${made}`)).json()["status"], "canceled");
      const done = idOf(await submit());
      await (await worker.claim(done)).finish();
      assert.equal((await post(`/api/v2/jobs/${done}/cancel`)).json()["status"], "succeeded");
      assert.deepEqual((await post(`/api/jobs/${done}/cancel`)).json(), { cancelled: false });
      for (const id of [newId(), "nonsense", "..%2f", made.toUpperCase()]) {
        for (const target of [`/api/v2/jobs/${id}/cancel`, `/api/jobs/${id}/cancel`]) {
          const refused = await post(target);
          assert.deepEqual([refused.status, errorCode(refused)], [404, "not_found"], target);
        }
      }
    });

    test("bulk cancel: all known or nothing, ended ones left out, and an invalid body is 400", async () => {
      const [one, two] = [idOf(await submit()), idOf(await submit())];
      const stateOf = async (id: string) => (await client.ask(`/api/v2/jobs/${id}`)).json()["status"];
      const unknown = await post("/api/jobs/cancel", { job_ids: [one, newId(), two] });
      assert.deepEqual([unknown.status, errorCode(unknown)], [404, "not_found"]);
      assert.deepEqual([await stateOf(one), await stateOf(two)], ["queued", "queued"]);
      const wrong = [{}, { job_ids: [] }, { job_ids: "x" }, { job_ids: [one, "x"] }, { job_ids: [one, 7] }, [], null];
      const tooMany = { job_ids: Array.from({ length: 101 }, () => newId()) };
      for (const body of [...wrong, tooMany]) {
        const refused = await post("/api/jobs/cancel", body);
        assert.deepEqual(
          [refused.status, errorCode(refused)],
          [400, "invalid_request"],
          JSON.stringify(body).slice(0, 80),
        );
      }
      await post(`/api/jobs/${one}/cancel`);
      const rest = await post("/api/jobs/cancel", { job_ids: [one, two, two] });
      assert.deepEqual([rest.status, rest.json()], [200, { cancelled: [two] }]);
    });

    test("an editor's workflow is taken as it is, and conversion gives the graph that runs", async () => {
      const editor = editorGraph("EmptyImage");
      const converted = await post("/api/v2/workflows/convert", { workflow: editor });
      assert.deepEqual([converted.status, converted.json()["format"]], [200, "api"], converted.text);
      const key = newId();
      const made = await submit({ workflow: editor }, { "idempotency-key": key });
      assert.equal(made.status, 201, made.text);
      const kept = await client.ask(`/api/v2/jobs/${idOf(made)}/workflow`);
      assert.deepEqual(kept.json()["workflow"], converted.json()["workflow"]);
      // A key belongs to the body as it was sent.
      const again = await submit({ workflow: editor }, { "idempotency-key": key });
      assert.deepEqual([again.status, idOf(again)], [made.status, idOf(made)]);
      const other = await submit({ workflow: converted.json()["workflow"] }, { "idempotency-key": key });
      assert.deepEqual([other.status, errorCode(other)], [422, "idempotency_key_reuse"]);
      await post(`/api/v2/jobs/${idOf(made)}/cancel`);
      const foreign = editorGraph("Foreign");
      const unknown = await post("/api/v2/workflows/convert", { workflow: foreign });
      assert.deepEqual([unknown.status, errorCode(unknown)], [422, "invalid_workflow"]);
      assert.deepEqual(toRecord(toRecord(unknown.json()["error"])["details"])["unknown_classes"], ["Foreign"]);
      for (const [workflow, classes] of [
        [foreign, ["Foreign"]],
        [{ nodes: [], links: [] }, []],
        [circularSubgraphs, []],
      ] as const) {
        const refused = await submit({ workflow });
        assert.deepEqual([refused.status, errorCode(refused)], [422, "workflow_format_ui"]);
        const details = toRecord(toRecord(refused.json()["error"])["details"]);
        assert.deepEqual(
          [details["unknown_classes"], String(details["problems"]) !== ""],
          [classes, classes.length === 0],
        );
      }
    });

    test("nodes inside a subgraph are known by their path, in what runs and in what is refused", async () => {
      const made = await submit({ workflow: subgraphOf(7) });
      assert.equal(made.status, 201, made.text);
      const kept = await client.ask(`/api/v2/jobs/${idOf(made)}/workflow`);
      assert.deepEqual(Object.keys(toRecord(kept.json()["workflow"])).sort(), ["12:3", "13"]);
      await post(`/api/v2/jobs/${idOf(made)}/cancel`);
      const refused = await submit({ workflow: subgraphOf(-1) });
      assert.deepEqual([refused.status, errorCode(refused)], [422, "invalid_workflow"]);
      assert.deepEqual(Object.keys(toRecord(toRecord(toRecord(refused.json()["error"])["details"])["node_errors"])), [
        "12:3",
      ]);
    });

    test("an uploaded file is found by reference and by its name, and cannot be deleted while its job waits", async () => {
      const upload = await client.ask("/api/v2/assets", {
        method: "POST",
        body: aForm("no picture, but a file", { file_path: `photo-${name}.png`, content_type: "image/png" }),
      });
      const { id } = upload.json();
      const load = (image: unknown) => ({
        1: { class_type: "LoadImage", inputs: { image } },
        2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
      });
      for (const image of [{ __type: "core/ASSET", info: { id } }, `photo-${name}.png`]) {
        const made = await submit({ workflow: load(image) });
        assert.equal(made.status, 201, made.text);
        const graph = (await client.ask(`/api/v2/jobs/${idOf(made)}/workflow`)).text;
        assert.ok(graph.includes(textOf(id)), graph);
        assert.equal((await client.ask(`/api/v2/assets/${textOf(id)}`, { method: "DELETE" })).status, 409);
        await post(`/api/v2/jobs/${idOf(made)}/cancel`);
      }
      const missing = await submit({ workflow: load({ __type: "core/ASSET", info: { id: newId() } }) });
      assert.deepEqual([missing.status, errorCode(missing)], [422, "missing_asset"]);
      const unnamed = await submit({ workflow: load("nobody-uploaded-this.png") });
      assert.deepEqual([unnamed.status, errorCode(unnamed)], [422, "invalid_workflow"]);
      assert.equal((await client.ask(`/api/v2/assets/${textOf(id)}`, { method: "DELETE" })).status, 204);
    });

    test("a full queue is 429 with the seconds to wait, and takes again when a job has ended", async () => {
      await house.limits.setOverride(house.db, { workspaceId: house.workspaceId, name: "jobs", value: 1 });
      await house.limits.drop(house.workspaceId);
      const key = `key-${newId()}`;
      // Jobs that ended a moment ago may still be counted.
      let first = await submit();
      await eventually(async () => {
        if (first.status !== 201) first = await submit();
        return first.status === 201;
      });
      const full = await submit(undefined, { "idempotency-key": key });
      assert.deepEqual([full.status, errorCode(full)], [429, "queue_full"]);
      assert.match(textOf(full.headers["retry-after"]), /^\d+$/);
      await post(`/api/v2/jobs/${idOf(first)}/cancel`);
      let made = full;
      await eventually(async () => {
        made = await submit(undefined, { "idempotency-key": key });
        return made.status === 201;
      });
      await house.limits.resetOverride(house.db, { workspaceId: house.workspaceId, name: "jobs" });
      await house.limits.drop(house.workspaceId);
      await post(`/api/v2/jobs/${idOf(made)}/cancel`);
    });

    test("health answers anybody", async () => {
      const health = await client.ask("/api/v2/health", {}, {});
      assert.deepEqual([health.status, health.json()], [200, { status: "healthy" }]);
    });
  });
}
