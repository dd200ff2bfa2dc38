import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import {
  choiceSetting,
  editDistance,
  integerSetting,
  listSetting,
  optionalIntegerSetting,
  readSettings,
  Secret,
  secretSetting,
  switchSetting,
  textSetting,
  urlSetting,
} from "./settings.ts";

const table = {
  port: integerSetting({ env: "T_PORT", default: 8080, min: 0, max: 65535, about: "The port." }),
  level: choiceSetting({ env: "T_LEVEL", default: "info", choices: ["info", "debug"], about: "The level." }),
  loud: switchSetting({ env: "T_LOUD", default: false, about: "Loud?" }),
  names: listSetting({
    env: "T_NAMES",
    default: [],
    item: (text) => (text === "bad" ? "is bad" : null),
    about: "Names.",
  }),
  baseUrl: urlSetting({ env: "T_URL", default: null, about: "Address." }),
  token: secretSetting({ env: "T_TOKEN", default: null, lengthMin: 8, about: "Token." }),
  drain: optionalIntegerSetting({ env: "T_DRAIN", default: null, min: 0, max: 10, about: "Drain." }),
  title: textSetting({ env: "T_TITLE", default: "atelier", about: "Title." }),
};
const read = (
  flags: Record<string, string> = {},
  env: Record<string, string> = {},
  file: Record<string, unknown> = {},
) => readSettings(table, { flags, env, file });

describe("reading settings", () => {
  test("a flag wins over the environment, the environment over the file, the file over the default", () => {
    assert.equal(read().values.port, 8080);
    assert.equal(read({}, {}, { port: 1 }).values.port, 1);
    assert.equal(read({}, { T_PORT: "2" }, { port: 1 }).values.port, 2);
    const all = read({ port: "3" }, { T_PORT: "2" }, { port: 1 });
    assert.equal(all.values.port, 3);
    assert.equal(all.sources.port, "flag");
    assert.equal(read({}, { T_PORT: "" }, { port: 1 }).sources.port, "file", "an empty variable is not set");
  });

  test("every problem is reported together, with the place, the rule and the setting's sentence", () => {
    const { problems } = read(
      { prot: "1" },
      { T_PORT: "99999", T_LEVEL: "loud", T_URL: "ftp://x", T_TOKEN: "short", T_NAMES: "good,bad" },
      { loud: "maybe", titel: "x" },
    );
    assert.equal(problems.length, 8);
    assert.match(problems.join("\n"), /T_PORT must be a whole number from 0 to 65535 \(it is "99999"\)\. The port\./);
    assert.match(problems.join("\n"), /unknown setting "titel"\. Did you mean "title"\?/);
    assert.match(problems.join("\n"), /no flag --prot\. Did you mean "--port"\?/);
  });

  test("a secret never prints itself, not even inside a problem", () => {
    const { values, problems } = read({}, { T_TOKEN: "abcdefgh12345678" });
    assert.ok(values.token instanceof Secret);
    assert.equal(values.token.reveal(), "abcdefgh12345678");
    for (const shown of [`${values.token}`, JSON.stringify(values), inspect(values)])
      assert.ok(!shown.includes("abcdefgh"));
    assert.deepEqual(problems, []);
    assert.ok(!read({}, { T_TOKEN: "tiny!" }).problems.join().includes("tiny!"));
  });

  test("lists, switches and numbers come from the file in their own types", () => {
    const { values } = read({}, {}, { names: ["a", "b"], loud: true, drain: 7 });
    assert.deepEqual(values.names, ["a", "b"]);
    assert.equal(values.loud, true);
    assert.equal(values.drain, 7);
    assert.equal(read().values.drain, null);
  });

  test("addresses lose their trailing slash and may not carry a user, query or fragment", () => {
    assert.equal(read({}, { T_URL: "https://a.example/x/" }).values.baseUrl, "https://a.example/x");
    for (const bad of ["https://u:p@a.example", "https://a.example/?q", "https://a.example/#f", "nonsense"]) {
      assert.equal(read({}, { T_URL: bad }).problems.length, 1, bad);
    }
  });
});

test("edit distance counts insertions, deletions and substitutions", () => {
  assert.equal(editDistance("port", "prot"), 2);
  assert.equal(editDistance("", "abc"), 3);
  assert.equal(editDistance("same", "same"), 0);
});
