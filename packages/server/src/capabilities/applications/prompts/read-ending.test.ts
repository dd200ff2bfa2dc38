import assert from "node:assert/strict";
import { test } from "node:test";
import { readEnding, refusedEnding } from "./read-ending.ts";
import { readHistory } from "./read-prompts.ts";

test("a failure message with unstorable characters is stored cleaned", () => {
  const words = `\0\ud800${"x".repeat(100_000)}`;
  const data = { node_id: words, node_type: words, exception_message: words, exception_type: words };
  const status = { status_str: "error", messages: [["execution_error", data]] };
  const entry = readHistory({ p: { status, outputs: {} } }, "p");
  assert.ok(entry);
  const refused = new Map([[words, { classType: words, message: "wrong" }]]);
  for (const ending of [
    readEnding(entry, (id) => id),
    refusedEnding({ kind: "refused", message: "no", refused }),
    refusedEnding({ kind: "accepted", promptId: "p", refused }),
  ]) {
    assert.ok(ending.kind === "failed");
    const { code, message, nodeId, classType } = ending.problem;
    for (const text of [code, message, nodeId ?? "", classType ?? ""]) {
      assert.ok(text.isWellFormed() && !text.includes("\0") && text.length <= 1_000, JSON.stringify(text.slice(0, 80)));
    }
    assert.ok((nodeId ?? "").length <= 255 && (classType ?? "").length <= 255);
  }
});
