import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { DeploymentEnvironment, ReportedEnvironment, ReportedLock } from "./deployment.ts";
import { classesNotAllowed, environmentProblems, workerProblems } from "./match-environment.ts";

const pinned = (more: Partial<DeploymentEnvironment> = {}): DeploymentEnvironment => ({
  engine: "embedded",
  engineVersion: null,
  nodeClasses: null,
  settings: { jobSecondsMax: null, jobMemoryMegabytesMax: null },
  ...more,
});
const reported = (more: Partial<ReportedEnvironment> = {}): ReportedEnvironment => ({
  engine: "embedded",
  version: "1.2.3",
  classes: { SaveImage: "aa", LoadImage: "bb" },
  ...more,
});
const names = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom("__proto__", "constructor", "toString"));
const versions = fc.string({ minLength: 1 }).filter((version) => version !== "*");
// Parsed from JSON, because a class may be called __proto__.
const classesOf = (entries: readonly (readonly [string, string])[]): Record<string, string> =>
  JSON.parse(
    `{${[...new Map(entries)].map((entry) => entry.map((text) => JSON.stringify(text)).join(":")).join(",")}}`,
  );

test("an environment that pins only the engine matches every worker of that engine", () => {
  assert.deepEqual(environmentProblems(pinned(), reported({ version: "9", classes: {} })), []);
  assert.deepEqual(environmentProblems(pinned(), reported({ engine: "application" })), [
    "The engine is application; embedded is pinned.",
  ]);
});

test("what differs is named: version, missing class, other version of a class", () => {
  const problems = environmentProblems(
    pinned({ engineVersion: "1.2.4", nodeClasses: { SaveImage: "aa", LoadImage: "cc", Upscale: "*" } }),
    reported(),
  );
  assert.deepEqual(problems, [
    "The engine's version is 1.2.3; 1.2.4 is pinned.",
    "The node class LoadImage has version bb; cc is pinned.",
    "The node class Upscale is missing.",
  ]);
});

test("a pinned lock asks for a folder that equals it, in words that say what differs", () => {
  const lockId = "ab".repeat(32);
  const application = pinned({ engine: "application", lockId });
  const environment = reported({ engine: "application" });
  const problems = (lock: ReportedLock | null) => workerProblems(application, { environment, lock });
  const own = "cd".repeat(32);
  assert.deepEqual(problems({ lockId, against: null, drift: [] }), []);
  assert.deepEqual(problems({ lockId: own, against: lockId, drift: [] }), [], "one that knows more than the lock");
  assert.deepEqual(problems({ lockId: own, against: lockId, drift: ["pack studio: util.py changed"] }), [
    "It differs from the pinned lock abababababab: pack studio: util.py changed.",
  ]);
  assert.deepEqual(problems({ lockId: own, against: own, drift: [] }), [
    "It has not yet compared its folder with the pinned lock abababababab.",
  ]);
  assert.deepEqual(problems(null), [
    "It does not compare its folder with the pinned lock abababababab. Start it with --application-folder.",
  ]);
  const drift = Array.from({ length: 50 }, (_, at) => `weight ${at}: removed`);
  assert.equal(problems({ lockId: own, against: lockId, drift }).length, 20);
});

test("a worker matches its own report, and every class it lacks or has otherwise is a problem", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(names, versions), { maxLength: 12 }),
      fc.string({ minLength: 1 }),
      (entries, version) => {
        const classes = classesOf(entries);
        const worker = reported({ version, classes });
        assert.deepEqual(environmentProblems(pinned({ engineVersion: version, nodeClasses: classes }), worker), []);
        for (const name of Object.keys(classes)) {
          const without = classesOf(Object.entries(classes).filter(([other]) => other !== name));
          assert.equal(
            environmentProblems(pinned({ nodeClasses: classes }), { ...worker, classes: without }).length,
            1,
          );
          const other = classesOf([...Object.entries(classes), [name, `${classes[name]}+`]]);
          assert.equal(environmentProblems(pinned({ nodeClasses: classes }), { ...worker, classes: other }).length, 1);
        }
      },
    ),
  );
});

test("a report that differs in thousands of classes gives twenty lines of bounded length", () => {
  const nodeClasses = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`${"n".repeat(200)}${at}`, "1"]));
  const problems = environmentProblems(pinned({ nodeClasses }), reported());
  assert.equal(problems.length, 20);
  assert.equal(problems.at(-1), "And 4981 more.");
  assert.ok(problems.every((line) => line.length < 200));
});

test("a graph may use exactly the classes that are pinned, and any where none are", () => {
  const classes = ["SaveImage", "constructor", "Nowhere"];
  assert.deepEqual(classesNotAllowed(pinned(), classes), []);
  assert.deepEqual(classesNotAllowed(pinned({ nodeClasses: { SaveImage: "*" } }), classes), ["constructor", "Nowhere"]);
  assert.deepEqual(classesNotAllowed(pinned({ nodeClasses: {} }), classes), classes);
});
