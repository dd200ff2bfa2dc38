import assert from "node:assert/strict";
import { test } from "node:test";
import type { Arrival } from "../../foundation/http/area.ts";
import { newId } from "../../foundation/ids.ts";
import { withPortKey } from "./port-key.ts";

const issued = `${"a".repeat(8)}_${"b".repeat(38)}`;

function keyOf(sent: Readonly<Record<string, string>>): unknown {
  const arrival: Arrival = {
    ...{ requestId: newId<"request">(), method: "GET", path: "/ws", queryText: "", peer: "127.0.0.1" },
    headers: { host: "127.0.0.1", ...sent },
    rawHeaders: ["Host", "127.0.0.1", ...Object.entries(sent).flat()],
  };
  const { headers, rawHeaders } = withPortKey(arrival, "service-port");
  assert.equal(headers.authorization, undefined);
  assert.deepEqual(rawHeaders, ["Host", "127.0.0.1", "x-api-key", headers["x-api-key"]]);
  return headers["x-api-key"];
}

test("on the application's port an empty or foreign credential is ignored, and our keys count", () => {
  for (const authorization of [
    "Bearer ",
    "Bearer",
    "Bearer sk-123",
    "Basic dTpw",
    "Key 1",
    `Bearer comfyui-${"f".repeat(64)}`,
  ])
    assert.equal(keyOf({ authorization }), "service-port", authorization);
  for (const key of ["", "sk-123", "service-"]) assert.equal(keyOf({ "x-api-key": key }), "service-port", key);
  assert.equal(keyOf({}), "service-port");
  assert.equal(keyOf({ authorization: "Bearer service-mine" }), "service-mine");
  assert.equal(keyOf({ "x-api-key": `comfyui-${issued}_${"0".repeat(16)}` }), `service-${issued}`);
  assert.equal(keyOf({ "x-api-key": "sk-1", authorization: `bearer service-${issued}` }), `service-${issued}`);
});
