import assert from "node:assert/strict";
import { test } from "node:test";
import { headerName } from "@atelier/contract";
import { answerPreflight } from "./cors.ts";

test("a page of a listed origin may send what callers of the API send", () => {
  const allowed = String(answerPreflight(["POST"], {}).headers?.["access-control-allow-headers"]).split(", ");
  for (const name of [
    headerName.apiKey,
    headerName.authorization,
    headerName.idempotencyKey,
    headerName.maxCredits,
    headerName.lastEventId,
    "Content-Type",
  ])
    assert.ok(allowed.includes(name), name);
});
