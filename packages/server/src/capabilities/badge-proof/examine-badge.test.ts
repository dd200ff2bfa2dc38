// The traps of price expressions, each caught. Nothing here can hang; what could is in prove-badge.test.ts.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import jsonata from "jsonata";
import { isAllowedFunction, whyRefused } from "./allowed-functions.ts";
import type { Badge } from "./badge-shape.ts";
import { type Examination, examineBadge } from "./examine-badge.ts";
import type { NodeDescription, NodeState } from "./probe-values.ts";

interface Reads {
  readonly widgets?: Readonly<Record<string, string>>;
  readonly inputs?: readonly string[];
  readonly groups?: readonly string[];
  readonly description?: NodeDescription;
  readonly states?: readonly NodeState[];
}

function examine(expr: string, reads: Reads = {}): Promise<Examination> {
  const badge: Badge = {
    engine: "jsonata",
    depends_on: {
      widgets: Object.entries(reads.widgets ?? {}).map(([name, type]) => ({ name, type })),
      inputs: reads.inputs ?? [],
      input_groups: reads.groups ?? [],
    },
    expr,
  };
  return examineBadge({ badge, states: reads.states ?? [], description: reads.description ?? {} });
}

const usd = (price: string) => `{"type": "usd", "usd": ${price}}`;
const errorsOf = ({ findings }: Examination) =>
  findings.filter((one) => one.severity === "error").map((one) => one.code);
const warningsOf = ({ findings }: Examination) =>
  findings.filter((one) => one.severity === "warning").map((one) => one.code);

describe("what is refused before it is evaluated", () => {
  const mode = { widgets: { mode: "COMBO" } };
  const dotted = { widgets: { model: "COMBO", "model.width": "INT" } };
  const refused: readonly [string, string, Reads, string][] = [
    ["a regular expression", usd("$contains(widgets.mode, /^(a+)+$/) ? 1 : 2"), mode, "regex_refused"],
    ["a regular expression on the left of ??", usd('($contains("a", /a/) ?? true) ? 1 : 2'), {}, "regex_refused"],
    ["a transform", `$ ~> |widgets|{"mode": 1}|`, mode, "transform_refused"],
    ["a wildcard", usd("$sum(widgets.*)"), {}, "wildcard_refused"],
    ["a descendant", usd("$sum(**)"), {}, "wildcard_refused"],
    ["a parent", usd("widgets.mode.%.mode"), mode, "parent_refused"],
    ["a focus binding", usd("widgets@$w.mode"), mode, "binding_refused"],
    ["an index binding", usd("[1, 2]#$i.$i"), {}, "binding_refused"],
    ["$eval", usd('$eval("1")'), {}, "function_refused"],
    ["$eval as a value", usd('$map(["1"], $eval)[0]'), {}, "function_refused"],
    ["$eval behind ~>", usd('"1" ~> $eval'), {}, "function_refused"],
    ["$eval under another name", usd('($f := $eval; $f("1"))'), {}, "function_refused"],
    ["$now", usd("$length($now())"), {}, "function_refused"],
    ["$millis", usd("$millis()"), {}, "function_refused"],
    ["$random", usd("$random()"), {}, "function_refused"],
    ["$shuffle", usd("$shuffle([1, 2])[0]"), {}, "function_refused"],
    ["an unknown function", usd("$coalesceAll(1)"), {}, "unknown_name"],
    ["a variable that nobody bound", usd("$price"), {}, "unknown_name"],
    ["a variable of a block that has ended", usd("(($x := 1); $x) + $x"), {}, "unknown_name"],
    ["a fourth root", usd("node.price"), {}, "unknown_root"],
    ["the wire's name of the groups", usd("input_groups.refs"), { groups: ["refs"] }, "unknown_root"],
    ["an undeclared widget", usd("widgets.model"), mode, "undeclared_reference"],
    ["an undeclared widget inside a step", usd('widgets.(mode = "a" ? size : 1)'), mode, "undeclared_reference"],
    [
      "an undeclared widget behind a name for all of them",
      usd("($w := widgets; $w.size)"),
      mode,
      "undeclared_reference",
    ],
    ["an undeclared widget by $lookup", usd('$lookup(widgets, "size")'), mode, "undeclared_reference"],
    ["an undeclared input", usd("inputs.mask.connected ? 1 : 2"), {}, "undeclared_reference"],
    ["an undeclared group", usd("inputGroups.refs"), {}, "undeclared_reference"],
    ["a widget found by a computed name", usd('$lookup(widgets, "mo" & "de")'), mode, "dynamic_reference"],
    ["all widgets as a value", usd("$count($keys(widgets))"), mode, "root_as_value"],
    ["all widgets by a forgotten argument", usd("widgets.$count($keys())"), mode, "root_as_value"],
    ["everything by $", usd("$count($spread($))"), {}, "root_as_value"],
    ["all widgets handed to a function", usd("(function($w){$w.secret})(widgets)"), mode, "root_as_value"],
    ["a root that changes its name", usd("($w := widgets; $w := 1; $w.mode)"), mode, "root_rebound"],
    ["an input without .connected", usd("inputs.mask ? 1 : 2"), { inputs: ["mask"] }, "input_as_value"],
    ["another member of an input", usd("inputs.mask.value"), { inputs: ["mask"] }, "unknown_member"],
    ["a dotted widget as a path", usd("widgets.model.width"), dotted, "dotted_name_as_path"],
    [
      "a dotted widget as a path, container undeclared",
      usd("widgets.model.width"),
      { widgets: { "model.width": "INT" } },
      "dotted_name_as_path",
    ],
    ["a capital letter", usd('widgets.mode = "Pro" ? 1 : 2'), mode, "literal_never_matches"],
    ["a capital letter in a table", usd('$lookup({"Pro": 1}, widgets.mode)'), mode, "literal_never_matches"],
    [
      "a type that is not the node's",
      usd("widgets.n * 0.01"),
      { widgets: { n: "INT" }, description: { widgets: { n: { type: "COMBO", options: ["a"] } } } },
      "type_differs",
    ],
    ["?? behind a predicate", usd("[1, 2][5] ?? 3"), {}, "differs_in_2_1"],
  ];
  for (const [what, expr, reads, code] of refused) {
    test(`${what} is ${code}`, async () => {
      const examined = await examine(expr, reads);
      assert.ok(errorsOf(examined).includes(code), JSON.stringify(examined.findings));
      assert.deepEqual(examined.samples, [], "nothing was evaluated");
    });
  }
});

test("a dotted widget as a path is answered with how to write it", async () => {
  const { findings } = await examine(usd("widgets.model.width"), { widgets: { model: "COMBO", "model.width": "INT" } });
  assert.match(findings[0]?.message ?? "", /\$lookup\(widgets, "model.width"\)/);
  assert.equal(typeof findings[0]?.position, "number");
});

test("a syntax error carries JSONata's code, the position and the token", async () => {
  const { findings } = await examine('{"type": "usd" "usd": 1}');
  assert.equal(findings.length, 1);
  const [finding] = findings;
  assert.equal(finding?.code, "S0202");
  assert.equal(finding?.position, 20);
  assert.equal(finding?.token, "usd");
});

test("an expression that nests too deeply is refused with that reason", async () => {
  assert.deepEqual(errorsOf(await examine(`${"(".repeat(8000)}1${")".repeat(8000)}`)), ["too_deep"]);
});

describe("what evaluation finds", () => {
  const options = (...values: string[]) => ({ widgets: { mode: { options: values } } });
  const caught: readonly [string, string, Reads, string][] = [
    [
      "a look-up that misses a known option drops the key",
      usd('$lookup({"a": 1}, widgets.mode)'),
      { widgets: { mode: "COMBO" }, description: options("A", "B") },
      "price_missing",
    ],
    ["arithmetic on nothing drops the key", usd('{"a": 1}.b * 2'), {}, "price_missing"],
    [
      "arithmetic on text throws T2001",
      usd("widgets.mode * 2"),
      { widgets: { mode: "COMBO" }, description: options("a") },
      "T2001",
    ],
    [
      "$contains on a number throws T0410",
      usd('$contains(widgets.n, "a") ? 1 : 2'),
      { widgets: { n: "INT" } },
      "T0410",
    ],
    ["division by zero is not finite", usd("1 / 0"), {}, "price_not_finite"],
    ["a negative price", usd("0 - 1"), {}, "price_negative"],
    [
      "a list of one collapses to a number",
      `{"type": "list_usd", "usd": {"p": [{"usd": 1}]}.p.usd}`,
      {},
      "list_collapsed",
    ],
    ["an empty list", `{"type": "list_usd", "usd": []}`, {}, "list_empty"],
    ["a reversed range", `{"type": "range_usd", "min_usd": 2, "max_usd": 1}`, {}, "range_reversed"],
    [
      "no result at all",
      "widgets.mode = 1 ? 2",
      { widgets: { mode: "COMBO" }, description: options("a") },
      "result_missing",
    ],
    ["a number alone", "0.11", {}, "result_not_object"],
    ["a long sequence", usd("$sum([1..100000])"), {}, "D2015"],
    [
      "a state that the operator named",
      usd('widgets.mode = "a" ? 1 : widgets.mode = "b" ? 0 - 1 : 2'),
      { widgets: { mode: "COMBO" }, states: [{ widgets: { mode: "B" } }] },
      "price_negative",
    ],
    [
      "a bound that the description names",
      usd("5 - widgets.n"),
      { widgets: { n: "INT" }, description: { widgets: { n: { min: 1, max: 9 } } } },
      "price_negative",
    ],
    [
      "a group at its most",
      usd("3 - inputGroups.refs"),
      { groups: ["refs"], description: { inputGroups: { refs: { max: 9 } } } },
      "price_negative",
    ],
    ["an input that is connected", usd("inputs.mask.connected ? 0 - 1 : 1"), { inputs: ["mask"] }, "price_negative"],
  ];
  for (const [what, expr, reads, code] of caught) {
    test(`${what}: ${code}`, async () => {
      const examined = await examine(expr, reads);
      assert.ok(errorsOf(examined).includes(code), JSON.stringify(examined.findings));
    });
  }
});

describe("what is accepted", () => {
  test("a badge that fails only while no widget has a value is warned about", async () => {
    const examined = await examine(usd("widgets.n * 0.01"), { widgets: { n: "INT" } });
    assert.deepEqual(errorsOf(examined), []);
    assert.deepEqual(warningsOf(examined), ["T2001"]);
  });

  test("an unused dependency is warned about", async () => {
    const examined = await examine(usd("1"), { widgets: { a: "INT" }, inputs: ["b"], groups: ["c"] });
    assert.deepEqual(errorsOf(examined), []);
    assert.deepEqual(warningsOf(examined), ["unused_dependency", "unused_dependency", "unused_dependency"]);
  });

  test("a number widget compared with text is warned about", async () => {
    const examined = await examine(usd('widgets.n = "5" ? 1 : 2'), { widgets: { n: "INT" } });
    assert.deepEqual(warningsOf(examined), ["type_never_matches"]);
  });

  test("the literals a widget is compared with become its probes", async () => {
    const { samples } = await examine(
      usd('($m := widgets.mode; $m in ["a", "b"] ? 1 : $contains($m, "pro") ? 2 : $lookup({"c": 3}, $m) ?? 4)'),
      { widgets: { mode: "COMBO" } },
    );
    const tried = samples.map(({ context }) => context.widgets["mode"]);
    assert.deepEqual(tried, ["a", "b", "pro", "c", null]);
  });

  test("keys of nested tables become probes of each widget", async () => {
    const examined = await examine(
      usd('$lookup($lookup({"lite": {"1k": 1, "2k": 2}, "full": {"1k": 3, "2k": 4}}, widgets.model), widgets.size)'),
      { widgets: { model: "COMBO", size: "COMBO" } },
    );
    assert.deepEqual(errorsOf(examined), []);
    const prices = examined.samples.flatMap(({ price }) => (price?.type === "usd" ? [price.usd] : []));
    assert.deepEqual(prices, [1, 2, 3, 4]);
  });

  const welcome: readonly [string, Reads][] = [
    [usd('$lookup(widgets, "model.width") * 0.001'), { widgets: { "model.width": "INT" } }],
    [usd("widgets.`model.width` * 0.001"), { widgets: { "model.width": "INT" } }],
    [usd("$$.widgets.n * 0.001"), { widgets: { n: "INT" } }],
    [usd("widgets.(n * 0.001)"), { widgets: { n: "INT" } }],
    [usd('widgets.mode.$contains("a") ? 1 : 2'), { widgets: { mode: "COMBO" } }],
    [usd("widgets.n ~> $round(2)"), { widgets: { n: "FLOAT" } }],
    [usd("$reduce([1, 2], function($a, $b){$a + $b})"), {}],
    [usd("($f := function($n){$n < 1 ? 0 : $n + $f($n - 1)}; $f(3))"), {}],
    [usd('$lookup(inputs, "mask").connected ? 1 : 2'), { inputs: ["mask"] }],
    [`{"type": "list_usd", "usd": {"p": [{"usd": 1}]}.p.usd[]}`, {}],
    [usd("[3, 1, 2]^(<$)[0]"), {}],
  ];
  for (const [expr, reads] of welcome) {
    test(expr, async () => {
      const examined = await examine(expr, reads);
      assert.deepEqual(errorsOf(examined), [], JSON.stringify(examined.findings));
    });
  }
});

test("every allowed function exists in the library, and none is both allowed and refused", async () => {
  const names = ["abs", "append", "contains", "lookup", "merge", "reduce", "round", "sum", "zip"];
  for (const name of names) {
    assert.ok(isAllowedFunction(name));
    assert.equal(whyRefused(name), null);
    assert.equal(await jsonata(`$type($${name})`).evaluate({}), "function");
  }
});
