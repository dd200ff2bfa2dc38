import assert from "node:assert/strict";
import { test } from "node:test";
import { proxyPolicy, requireLoopback } from "./proxy-policy.ts";

test("the proxy answers for its own names, and for those of the operator's TLS proxy", () => {
  const { hosts, origins } = proxyPolicy(
    { allowedHosts: ["Box.example"], baseUrl: "https://studio.example", corsOrigins: ["https://app.example"] },
    8189,
  );
  assert.deepEqual(
    [...(hosts ?? [])],
    ["127.0.0.1:8189", "localhost:8189", "[::1]:8189", "studio.example", "box.example"],
  );
  assert.deepEqual(
    [...(origins ?? [])],
    [
      "http://127.0.0.1:8189",
      "http://localhost:8189",
      "http://[::1]:8189",
      "https://studio.example",
      "https://app.example",
    ],
  );
});

test("every address but loopback is refused as a usage error, in any spelling", () => {
  for (const host of ["127.0.0.1", "localhost", "::1"]) requireLoopback(host);
  for (const host of [
    "0.0.0.0",
    "::",
    "",
    "*",
    "192.168.1.2",
    "127.0.0.2",
    "::ffff:127.0.0.1",
    "example.org",
    "0",
    "127.1",
  ])
    assert.throws(() => requireLoopback(host), { name: "UsageProblem" }, host);
});
