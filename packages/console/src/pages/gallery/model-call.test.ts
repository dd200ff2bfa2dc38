import assert from "node:assert/strict";
import { test } from "node:test";
import { modelCallOf } from "./model-call.ts";

const id = "01a1ede5-26fe-754b-b8bb-7ca190e34703";

test("a kept output names its model and its request; an upload with similar tags names nothing", () => {
  assert.deepEqual(modelCallOf(["starred", "playground", "sandbox/image-1", `request:${id}`]), {
    model: "sandbox/image-1",
    requestId: id,
  });
  assert.deepEqual(modelCallOf(["playground", "sandbox/image-1"]), { model: "sandbox/image-1", requestId: null });
  assert.equal(modelCallOf(["sandbox/image-1", `request:${id}`]), null);
  assert.equal(modelCallOf(["playground", "a/b/c"]), null);
});
