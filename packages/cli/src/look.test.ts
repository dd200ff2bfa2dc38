import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { coloured, colouredMarks, detectLook, type Look, shown } from "./look.ts";

const look = (env: Record<string, string>, isTerminal = true, noColour = false): Look =>
  detectLook({ isTerminal, env, platform: "linux" }, noColour);

describe("colour", () => {
  test("is on in a terminal and off elsewhere", () => {
    assert.equal(look({ TERM: "xterm" }).isColoured, true);
    assert.equal(look({ TERM: "xterm" }, false).isColoured, false);
  });

  test("is off with NO_COLOR, a dumb terminal or --no-color, even with FORCE_COLOR", () => {
    for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
      assert.equal(look({ ...env, FORCE_COLOR: "1" }).isColoured, false);
    }
    assert.equal(look({ FORCE_COLOR: "1" }, true, true).isColoured, false);
  });

  test("an empty NO_COLOR counts as absent; FORCE_COLOR colours a pipe", () => {
    assert.equal(look({ NO_COLOR: "" }).isColoured, true);
    assert.equal(look({ FORCE_COLOR: "1" }, false).isColoured, true);
    assert.equal(look({ FORCE_COLOR: "0" }, false).isColoured, false);
  });

  test("marks at the beginning of a line are coloured, others stay text", () => {
    const on: Look = { isColoured: true, isUnicode: true };
    assert.equal(
      colouredMarks("✓ a ✓\n! b", on),
      `${coloured("✓", "green", on)} a ✓\n${coloured("!", "yellow", on)} b`,
    );
    assert.equal(colouredMarks("✓ a", { isColoured: false, isUnicode: true }), "✓ a");
  });
});

describe("symbols", () => {
  test("become ASCII in a terminal whose locale is not UTF-8, and stay in pipes", () => {
    assert.equal(shown("✓ a → b…", look({ LANG: "C" })), "ok a -> b...");
    assert.equal(shown("✓ a → b…", look({ LANG: "C" }, false)), "✓ a → b…");
    assert.equal(shown("✓", look({ LANG: "de_DE.UTF-8" })), "✓");
    assert.equal(shown("✓", look({ LANG: "C", LC_ALL: "C.utf8" })), "✓");
  });
});
