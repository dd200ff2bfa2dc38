// The contract's suite is complete: every operation, every documented answer and every code of v2 is provoked on some
// surface or listed in a table with the reason; and the tables contain nothing that is untrue.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Operation, operationsByArea, workflowErrorStatuses } from "@atelier/contract";
import { codesElsewhere, differences, elsewhere, surfaceNames, unprovoked } from "./v2-contract/differences.ts";
import { contractCases } from "./v2-contract.behaviour.ts";

const { workflowJobs, workflowAssets, workflowUploads } = operationsByArea;
const v2: readonly Operation[] = [workflowJobs, workflowAssets, workflowUploads].flatMap((table) =>
  Object.values(table),
);
// Provoked in one sweep for every operation that authenticates, on every surface that can answer it.
const swept = [401, 403, 429, 500, 503];
const answersOf = (id: string) => [
  ...contractCases.filter(({ operation }) => operation === id),
  ...differences.filter(({ operation }) => operation === id),
];

test("every operation of v2 has cases, or a reason to have none", () => {
  const asked = new Set<string>(contractCases.map(({ operation }) => operation));
  assert.deepEqual(
    v2.map(({ id }) => id).filter((id) => !asked.has(id) && !Object.hasOwn(elsewhere, id)),
    [],
  );
  for (const id of Object.keys(elsewhere)) assert.equal(asked.has(id), false, `${id} is asked after all`);
});

test("every documented answer of every operation is provoked, or a table says why not", () => {
  const missing = v2
    .filter(({ id }) => !Object.hasOwn(elsewhere, id))
    .flatMap(({ id, access, answers }) =>
      Object.keys(answers)
        .map(Number)
        .filter((status) => !answersOf(id).some((each) => each.status === status))
        .filter((status) => access === "public" || !swept.includes(status))
        .filter(
          (status) => !unprovoked.some((each) => [id, "every"].includes(each.operation) && each.status === status),
        )
        .map((status) => `${id} ${status}`),
    );
  assert.deepEqual(missing, []);
});

test("every code of v2 is answered somewhere with its status, or a table says where", () => {
  const seen = new Set([
    "unauthorized",
    "forbidden",
    "method_not_allowed",
    "rate_limited",
    "upstream_error",
    "service_unavailable",
  ]);
  for (const { code, status } of contractCases) {
    if (code === null) continue;
    seen.add(code);
    const documented: unknown = Object.hasOwn(workflowErrorStatuses, code) && Reflect.get(workflowErrorStatuses, code);
    assert.equal(documented, status, code);
  }
  const missing = Object.keys(workflowErrorStatuses).filter(
    (code) => !seen.has(code) && !Object.hasOwn(codesElsewhere, code),
  );
  assert.deepEqual(missing, []);
  assert.deepEqual(
    Object.keys(codesElsewhere).filter((code) => seen.has(code)),
    [],
  );
});

test("the names of cases are unique, and every difference belongs to a case and really differs", () => {
  const names = contractCases.map(({ operation, name }) => `${operation} ${name}`);
  assert.equal(new Set(names).size, names.length);
  for (const each of differences) {
    const one = contractCases.find(({ operation, name }) => operation === each.operation && name === each.name);
    assert.ok(one, `${each.operation} ${each.name}`);
    assert.notDeepEqual([one.status, one.code], [each.status, each.code], each.name);
    assert.ok(each.reason.length > 20);
    const same = differences.filter(({ operation, name }) => operation === each.operation && name === each.name);
    assert.ok(same.length < surfaceNames.length, `${each.name}: where all differ the case is wrong`);
  }
});
