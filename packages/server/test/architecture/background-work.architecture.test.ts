// A loop that runs until the process stops and sleeps in between is background work, which is declared in one place:
// foundation/background.ts.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { codeWithoutComments, isTestFile, planted, type Sources, serverSources } from "./sources.ts";

// These are not periodic: each waits for word that there is something to do, and sleeps only while the connection that
// brings it is broken.
const waitingLoops: Readonly<Record<string, string>> = {
  "foundation/background.ts": "the one home of periodic work",
  "foundation/bus/postgres-bus.ts": "holds a connection and makes it again",
  "capabilities/graph-runs/graph-worker.ts": "claims jobs, which waits for one",
  "capabilities/remote-work/remote-cancels.ts": "asks for cancels, which waits for one",
  "processes/run-sandbox.ts": "waits for the end of a child and starts it again",
  "processes/commands/until-ready.ts": "ends when the server is ready",
};

test("everything that runs periodically is declared as background work", () => {
  assert.deepEqual(loopsElsewhere(serverSources), []);
});

test("every excepted loop still exists", () => {
  assert.deepEqual(
    Object.keys(waitingLoops).filter((path) => !serverSources.has(path)),
    [],
  );
});

describe("a planted fault is found", () => {
  test("a hand-written periodic loop", () => {
    const text =
      "async function run(signal: AbortSignal) {\n  while (!signal.aborted) {\n    await clock.sleep(1000, signal);\n  }\n}";
    assert.deepEqual(loopsElsewhere(planted(serverSources, ["capabilities/audit/planted.ts", text])), [
      "capabilities/audit/planted.ts sleeps in a loop of its own",
    ]);
  });
});

function loopsElsewhere(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    if (path in waitingLoops || isTestFile(path)) return [];
    const code = codeWithoutComments(text);
    const loops = code.matchAll(/\bwhile \(![\w.?]*aborted\) \{\n/g);
    const sleeps = [...loops].some((loop) =>
      /\bclock\.sleep\(|\bClock\.sleep\(/.test(blockAt(code, loop.index + loop[0].lastIndexOf("{"))),
    );
    return sleeps ? [`${path} sleeps in a loop of its own`] : [];
  });
}

// From an opening brace to its closing one. Braces in strings are rare in our style and come in pairs.
function blockAt(code: string, start: number): string {
  let depth = 0;
  for (let at = start; at < code.length; at++) {
    if (code[at] === "{") depth += 1;
    else if (code[at] === "}" && --depth === 0) return code.slice(start, at);
  }
  return code.slice(start);
}
