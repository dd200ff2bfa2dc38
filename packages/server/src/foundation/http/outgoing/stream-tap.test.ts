import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { handClock } from "../../hand-clock.fixture.ts";
import { createRedaction } from "../../redaction.ts";
import { redactLines } from "./redact-answer.ts";
import { TappedAnswer } from "./stream-tap.ts";

function tapped(lines: (bytes: Buffer) => void | Promise<void>, bytesMax = 100_000) {
  const clock = handClock();
  const happened: string[] = [];
  const note = (what: string) => () => void happened.push(what);
  const answer = new TappedAnswer({ begins: () => true, lines, idleMs: 60_000, bytesMax }, clock, {
    pause: note("pause"),
    resume: note("resume"),
    tooSlow: note("too slow"),
    tooLarge: note("too large"),
  });
  return { answer, clock, happened, add: (text: string) => answer.add(Buffer.from(text)) };
}

describe("an answer that is passed on while it arrives", () => {
  test("complete lines are passed on at once, the rest with the line's end, and everything is kept", () => {
    const passed: string[] = [];
    const { answer, add } = tapped((bytes) => void passed.push(bytes.toString()));
    for (const piece of ["data: a\n\nda", "ta", ": b\n", "\n", "x".repeat(9000), "end"]) add(piece);
    assert.deepEqual(passed, ["data: a\n\n", "data: b\n", "\n"]);
    const whole = answer.end().toString();
    assert.equal(passed.join(""), whole);
    assert.equal(whole, `data: a\n\ndata: b\n\n${"x".repeat(9000)}end`);
  });

  test("nothing more is read while the reader is busy, and its time does not count as silence", async () => {
    const busy = Promise.withResolvers<void>();
    const { clock, add, happened } = tapped(() => busy.promise);
    add("data: a\n");
    await clock.advance(600_000);
    assert.deepEqual(happened, ["pause"]);
    busy.resolve();
    await busy.promise;
    assert.deepEqual(happened, ["pause", "resume"]);
  });

  test("a stream that goes silent, or dribbles without ever ending a line, is given up", async () => {
    const { clock, add, happened } = tapped(() => undefined);
    add("data: a\n");
    await clock.advance(60_000);
    for (let second = 0; second < 59; second++) {
      await clock.advance(1_000);
      add(".");
    }
    assert.deepEqual(happened, []);
    await clock.advance(1_000);
    assert.deepEqual(happened, ["too slow"]);
  });

  test("a stream that never ends is given up at its limit of bytes", () => {
    const { add, happened } = tapped(() => undefined, 20_000);
    for (let count = 0; count < 200; count++) add(`${"y".repeat(99)}\n`);
    assert.deepEqual(happened, []);
    add("z");
    assert.deepEqual(happened, ["too large"]);
  });
});

test("a secret is removed from the lines of a stream, also where JSON spells it with escapes", () => {
  const redaction = createRedaction(["secret-credential"]);
  const escaped = "\\u0073ecret-credential";
  const lines = Buffer.from(`data: {"a":"secret-credential"}\n\ndata: {"b":"${escaped}","ü":1}\n\ndata: [DONE]\n\n`);
  const clean = redactLines(lines, redaction);
  assert.ok(Buffer.isBuffer(clean));
  assert.doesNotMatch(clean.toString(), /ecret-credential/);
  assert.match(clean.toString(), /^data: \{"a":"\*{17}"\}\n\ndata: \{"b":".*","ü":1\}\n\ndata: \[DONE\]\n\n$/);
  const plain = Buffer.from('data: {"c":"\\u00e4"}\n\n');
  assert.equal(redactLines(plain, redaction), plain);
});
