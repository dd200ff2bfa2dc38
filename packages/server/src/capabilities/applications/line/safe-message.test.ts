import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { safeMessage } from "./safe-message.ts";

test("paths keep their last part only, addresses nothing", () => {
  const said = (text: string) => safeMessage(text, "none");
  assert.equal(said("No such file: '/home/ana/app/models/x.safetensors'"), "No such file: 'x.safetensors'");
  assert.equal(said("cannot open C:\\Users\\Ana\\in.png now"), "cannot open in.png now");
  assert.equal(said("at \\\\server\\share\\in.png"), "at in.png");
  assert.equal(said("asked https://internal.example:9000/key?x=1 twice"), "asked … twice");
  assert.equal(said("shape (1/2) and a/b.png of 3/4"), "shape (1/2) and a/b.png of 3/4", "what is no path stays");
});

test("a traceback is cut off", () => {
  const text = 'bad value\nTraceback (most recent call last):\n  File "/opt/app/execution.py", line 1\nKeyError';
  assert.equal(safeMessage(text, "none"), "bad value");
  assert.equal(safeMessage('Traceback (most recent call last):\n  File "/a/b.py"', "none"), "none");
});

test("an empty message says so, and a long one is cut", () => {
  assert.equal(safeMessage(null, "none"), "none");
  assert.equal(safeMessage(" \n\t", "none"), "none");
  assert.equal(safeMessage("x".repeat(10_000), "none").length, 500);
});

test("no folder of the machine survives, and there is always a text", () => {
  const part = fc.stringMatching(/^[a-z0-9_-]{3,12}$/);
  fc.assert(
    fc.property(fc.string(), fc.array(part, { minLength: 2, maxLength: 5 }), fc.string(), (before, parts, after) => {
      const secret = `${parts.join("qq/")}zz`;
      const message = safeMessage(`${before} /${secret} ${after}`, "none");
      assert.ok(message.length > 0 && message.length <= 500);
      assert.ok(!message.includes(`${parts[0]}qq/`), message);
    }),
  );
});
