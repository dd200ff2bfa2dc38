// The code view is the call itself: read back by a shell, by JavaScript and as JSON it gives the same input, whatever it
// contains.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { runInNewContext } from "node:vm";
import { parseJson, writeJson } from "@atelier/sdk";
import fc from "fast-check";
import { prettyJson, pythonLiteral, scriptLiteral, shellWord } from "../literals.ts";
import { type SnippetFacts, snippetOf } from "./snippets.ts";

const hostile = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("'", "$(id)", "`id`", "\\", "a\nb", '"; rm -rf /', "!!", "@file", "%s", "~", "JSON", "\u2028", "-n"),
);
const scalar = fc.oneof(
  hostile,
  fc.integer(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof({ depthSize: "small" }, scalar, fc.array(tie("any")), fc.dictionary(hostile, tie("any"))),
})).any;
const inputs = fc.dictionary(hostile, value, { maxKeys: 5 });

const facts = (input: Record<string, unknown>, more: Partial<SnippetFacts> = {}): SnippetFacts => ({
  baseUrl: "http://127.0.0.1:8080",
  model: "sandbox/image-1",
  input,
  textFields: new Set(),
  isQueued: false,
  answerFile: null,
  ...more,
});

const folder = mkdtempSync(join(tmpdir(), "atelier-snippets-"));
after(() => rmSync(folder, { recursive: true }));

// The arguments that a shell passes to a command, and its standard input.
function ranBy(snippet: string, command: string): { readonly words: string[]; readonly body: string } {
  const file = join(folder, "snippet.sh");
  writeFileSync(
    file,
    `${command}() { for word in "$@"; do printf 'w%s\\0' "$word"; done; printf '\\0'; cat; }\n${snippet}\n`,
  );
  const env = { ATELIER_API_KEY: "service-x", PATH: process.env["PATH"] };
  const said = execFileSync("/bin/sh", [file], { input: "", encoding: "utf8", env, maxBuffer: 1e8 });
  const at = said.indexOf("\0\0");
  const words = said.slice(0, at).split("\0");
  return { words: words.map((word) => word.slice(1)), body: said.slice(at + 2) };
}

describe("code of a call", () => {
  test("a shell word is exactly its text", () => {
    fc.assert(
      fc.property(
        fc.array(
          hostile.filter((text) => !text.includes("\0")),
          { minLength: 1 },
        ),
        (texts) => {
          const { words } = ranBy(`show ${texts.map(shellWord).join(" ")}`, "show");
          assert.deepEqual(
            words,
            texts.map((text) => text.toWellFormed()),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  test("JSON, JavaScript and the value agree to the last digit", () => {
    fc.assert(
      fc.property(inputs, (input) => {
        assert.equal(writeJson(parseJson(prettyJson(input))), writeJson(parseJson(writeJson(input))));
        const read: unknown = runInNewContext(`(${scriptLiteral(input)})`);
        assert.equal(writeJson(read), writeJson(input));
      }),
    );
  });

  test("curl sends the input, and the key from the environment", () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { words } = ranBy(snippetOf.curl(facts(input)), "curl");
        assert.ok(words.includes("http://127.0.0.1:8080/v1/models/sandbox/image-1"));
        assert.ok(words.includes("Authorization: Bearer service-x"));
        assert.equal(words.at(-2), "--data-raw");
        assert.equal(writeJson(parseJson(words.at(-1) ?? "")), writeJson(parseJson(writeJson(input))));
      }),
      { numRuns: 60 },
    );
  });

  test("a body too long for an argument goes in by standard input", () => {
    const input = { image: `data:image/png;base64,${"A".repeat(150_000)}`, prompt: "it's" };
    for (const [language, command] of [
      ["curl", "curl"],
      ["cli", "npx"],
    ] as const) {
      const { body } = ranBy(snippetOf[language](facts(input)), command);
      assert.deepEqual(JSON.parse(body), input);
    }
  });

  test("the command line passes texts as texts, numbers as numbers, and an @ as an @", () => {
    const input = { prompt: "5", seed: 18446744073709551615n, style: "@home", size: "7", on: true, list: [1, "a"] };
    const { words } = ranBy(snippetOf.cli(facts(input, { textFields: new Set(["prompt"]) })), "npx");
    assert.deepEqual(words.slice(0, 4), ["-y", "http://127.0.0.1:8080/packages/cli.tgz", "models", "run"]);
    const pairs = words.filter((_, at) => words[at - 1] === "-i");
    assert.deepEqual(pairs, [
      "prompt=5",
      "seed=18446744073709551615",
      "style=@@home",
      'size="7"',
      "on=true",
      'list=[1,"a"]',
    ]);
  });

  test("Python uses its own literals", () => {
    const text = pythonLiteral({ on: true, off: false, none: null, seed: 18446744073709551615n, name: 'a "b"' });
    assert.match(text, /"on": True,\n {4}"off": False,\n {4}"none": None,\n {4}"seed": 18446744073709551615,/);
    assert.match(text, /"name": "a \\"b\\""/);
  });
});
