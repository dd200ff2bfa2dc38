// The tally reports what the metrics library would have reported.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Counter, Histogram, Registry } from "prom-client";
import { requestTally, secondsBounds } from "./request-tally.ts";

test("the tally of requests reads like the metrics library's own counter and histogram", async () => {
  const seconds = fc.oneof(fc.constantFrom(0, 601, ...secondsBounds), fc.double({ min: 0, max: 700, noNaN: true }));
  const request = fc.tuple(fc.constantFrom("getAsset", "unknown"), fc.constantFrom(200, 404, 499), seconds);
  await fc.assert(
    fc.asyncProperty(fc.array(request), async (requests) => {
      const registers = [new Registry()];
      const name = "atelier_http_requests_total";
      const labelNames = ["operation", "status"];
      const counter = new Counter({ name, help: "Answered requests by operation and status.", labelNames, registers });
      const histogram = new Histogram({
        name: "atelier_http_request_seconds",
        help: "Time from the request's headers to the end of its answer.",
        labelNames: ["operation"],
        buckets: [...secondsBounds],
        registers,
      });
      const tally = requestTally();
      for (const [operation, status, duration] of requests) {
        tally.meter(operation).count(status, duration);
        counter.inc({ operation, status });
        histogram.observe({ operation }, duration);
      }
      const linesOf = (text = "") => text.split("\n").filter(Boolean).sort();
      assert.deepEqual(linesOf(tally.text()), linesOf(await registers[0]?.metrics()));
    }),
    { numRuns: 50 },
  );
});
