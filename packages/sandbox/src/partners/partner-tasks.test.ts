import assert from "node:assert/strict";
import { test } from "node:test";
import { RunRecords } from "../models/run-records.ts";
import type { PartnerFault } from "./faults.ts";
import { type Outcome, PartnerTasks } from "./partner-tasks.ts";

const made: Outcome = { urls: ["http://127.0.0.1/files/x.png"], error: null };
const quick = { createdSeconds: 0.001, runSeconds: 0.001 };

function opened(tasks: PartnerTasks, ...faults: readonly PartnerFault[]) {
  const task = tasks.open({
    partner: "partner-a",
    tool: "image-relight",
    record: new RunRecords().submitted({ reference: null, model: "m", sha256: "s" }),
    order: { faults: new Set(faults), seconds: 0.001 },
    arrival: { sha256: "s", bytes: 1, seedText: null },
    webhookUrl: null,
    echo: {},
  });
  assert.ok(task);
  return task;
}

async function driven(work: () => Promise<Outcome>, ...faults: readonly PartnerFault[]) {
  const tasks = new PartnerTasks(new AbortController().signal);
  const task = opened(tasks, ...faults);
  const stages: string[] = [];
  await tasks.drive(task, quick, work, ({ stage }) => stages.push(stage));
  return { tasks, task, stages };
}

test("a task only moves forward, and its result is there at its end", async () => {
  const { task, stages } = await driven(async () => made);
  assert.deepEqual([stages, task.outcome], [["running", "completed"], made]);
  assert.deepEqual(
    task.history.map(({ status }) => status),
    ["created", "running", "completed"],
  );
  assert.deepEqual((await driven(async () => made, "skip")).stages, ["completed"]);
});

test("work that throws or is ordered to fail ends as failed, with the reason", async () => {
  const thrown = await driven(() => Promise.reject(new Error("no picture")));
  assert.deepEqual([thrown.stages, thrown.task.outcome?.error?.message], [["running", "failed"], "no picture"]);
  assert.deepEqual((await driven(async () => made, "task_failed")).stages, ["running", "failed"]);
});

test("a lost task is forgotten silently", async () => {
  const { tasks, task, stages } = await driven(async () => made, "lost");
  assert.deepEqual([tasks.find("partner-a", task.id), stages], [null, ["running"]]);
});

test("a held task takes no step by itself, and its work starts only when it is moved", async () => {
  const tasks = new PartnerTasks(new AbortController().signal);
  const task = opened(tasks, "held");
  let works = 0;
  const stages: string[] = [];
  const work = async () => {
    works += 1;
    return made;
  };
  const driving = tasks.drive(task, quick, work, ({ stage }) => stages.push(stage));
  assert.deepEqual([stages, works], [[], 0]);
  assert.equal(tasks.move(task, "running"), true);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([stages, works], [["running"], 0]);
  assert.equal(tasks.move(task, "completed"), true);
  await driving;
  assert.deepEqual([stages, works, tasks.move(task, "failed")], [["running", "completed"], 1, false]);
});

test("a task belongs to its partner, and closing the server ends every wait", async () => {
  const closing = new AbortController();
  const tasks = new PartnerTasks(closing.signal);
  const task = opened(tasks, "stuck");
  assert.deepEqual([tasks.find("partner-b", task.id), tasks.find(null, task.id)], [null, task]);
  const driving = tasks.drive(
    task,
    quick,
    async () => made,
    () => {},
  );
  closing.abort();
  await driving;
  assert.notEqual(task.stage, "completed");
});
