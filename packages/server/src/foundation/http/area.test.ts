import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "@atelier/contract";
import { type Route, route, routesOf } from "./area.ts";

const file = {
  getJobRoute: ({ text }: { readonly text: string }): Route<null> =>
    route(operations.getJob, () => ({ status: 200, body: text })),
  listJobsRoute: (_deps: { readonly count: number }): Route<null> =>
    route(operations.listJobs, () => ({ status: 204 })),
  readText: () => assert.fail("not a handler"),
};

test("every handler of a file is mounted with the dependencies, and nothing else is called", async () => {
  const other = { cancelJobRoute: (): Route<null> => route(operations.cancelJob, () => ({ status: 204 })) };
  const routes = routesOf({ text: "hello", count: 1 }, file, other);
  assert.deepEqual(
    routes.map(({ operation }) => operation.id),
    ["getJob", "listJobs", "cancelJob"],
  );
});
