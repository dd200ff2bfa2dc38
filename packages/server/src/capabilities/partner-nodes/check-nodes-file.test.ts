import assert from "node:assert/strict";
import { test } from "node:test";
import { checkNodesFile } from "./check-nodes-file.ts";

const fine = {
  name: "MineNode",
  category: "partner",
  description: "A class.",
  input: {
    required: {
      prompt: ["STRING", { default: "" }],
      mode: [
        "COMFY_DYNAMICCOMBO_V3",
        {
          options: [
            { key: "slow", inputs: { required: { steps: ["INT", { default: 4, min: 1, max: 9 }] } } },
            { key: "fast", inputs: {} },
          ],
        },
      ],
    },
    optional: { image: ["IMAGE", {}] },
  },
  outputs: [{ type: "IMAGE", name: "IMAGE", from: ["/data/*/url"] }],
  calls: [{ model: "mine/one", body: { prompt: { $input: "prompt" }, steps: { $input: "mode.steps" } } }],
};
const found = (change: object) => {
  const checked = checkNodesFile({ provider: "mine", classes: [{ ...fine, ...change }] });
  return checked.ok ? [] : checked.problems.map(({ path, message }) => `${path} ${message}`);
};
const sends = (body: object, more: object = {}) => found({ calls: [{ model: "mine/one", body, ...more }] });

test("a class that fits is accepted", () => assert.deepEqual(found({}), []));

test("a class of the engine, or one declared twice, cannot be declared", () => {
  assert.deepEqual(found({ name: "SaveImage" }), [
    "/classes/0/name SaveImage is a class of the engine, which cannot be replaced",
  ]);
  const twice = checkNodesFile({ provider: "mine", classes: [fine, fine] });
  assert.ok(!twice.ok);
  assert.deepEqual(twice.problems, [{ path: "/classes/1/name", message: "MineNode is declared twice" }]);
});

test("members that are missing or of another type are named by their pointer", () => {
  const { outputs: _, ...without } = fine;
  const checked = checkNodesFile({ provider: "mine", classes: [{ ...without, category: 7 }] });
  assert.ok(!checked.ok);
  assert.deepEqual(checked.problems.map(({ path }) => path).sort(), ["/classes/0/category", "/classes/0/outputs"]);
});

test("inputs that contradict themselves are found", () => {
  const input = (config: unknown) =>
    found({ input: { required: { prompt: ["STRING", {}], mode: fine.input.required.mode, it: config } } });
  const at = "/classes/0/input/required/it";
  assert.deepEqual(input(["INT", { default: 9, min: 0, max: 5 }]), [
    `${at} has the default 9, which is not between 0 and 5`,
  ]);
  assert.deepEqual(input(["INT", { min: 6, max: 5 }]), [`${at} has a min of 6 above its max of 5`]);
  assert.deepEqual(input(["INT", { default: "9" }]), [`${at} has a default that is not a number`]);
  assert.deepEqual(input(["COMBO", { options: [] }]), [`${at} has no choices`]);
  assert.deepEqual(input([["a"], { default: "b" }]), [`${at} has the default "b", which is not one of its choices`]);
  assert.deepEqual(input(["COMFY_AUTOGROW_V3", { template: {} }]), [`${at} must have a template with an input`]);
  assert.deepEqual(input([7]), [`${at} must be [type, options], or [[choices], options]`]);
});

test("templates that name nothing, or mix kinds, are found", () => {
  const body = "/classes/0/calls/0/body";
  assert.deepEqual(sends({ p: { $input: "promt" } }), [`${body}/p/$input names promt, which is no input of the class`]);
  assert.deepEqual(sends({ p: { $input: "steps" } }), [
    `${body}/p/$input names steps, which is no input of the class; did you mean mode.steps?`,
  ]);
  assert.deepEqual(sends({ p: { $input: "image" } }), [
    `${body}/p must say "as": base64 or data_url, because image is IMAGE`,
  ]);
  assert.deepEqual(sends({ p: { $input: "prompt", as: "base64" } }), [
    `${body}/p/as is only for pictures, sounds and videos; prompt is STRING`,
  ]);
  assert.deepEqual(sends({ p: { $item: "base64" } }), [`${body}/p is only possible within $each`]);
  assert.deepEqual(sends({ p: { $each: "prompt", give: 1 } }), [`${body}/p prompt is STRING; $each is for pictures`]);
  assert.deepEqual(sends({ p: { $chose: "mode" } }), [
    `${body}/p has the unknown operator $chose; there are $omit, $input, $items, $item, $each, $choose, $if, $text`,
  ]);
  assert.deepEqual(sends({ p: { $choose: "mode", cases: { medium: 1 } } }), [
    `${body}/p/cases/medium is not a choice of mode`,
  ]);
  assert.deepEqual(sends({ p: { $text: "{width}x" } }), [
    `${body}/p/$text names width, which is no input of the class`,
  ]);
  assert.deepEqual(sends({ p: { a: 1, $omit: true } }), [
    `${body}/p has $omit beside other members; an operator comes first`,
  ]);
  let nested: object = {};
  for (let depth = 0; depth < 40; depth++) nested = { nested };
  assert.match(sends(nested)[0] ?? "", /nests more than 32 deep$/);
});

test("a class gives values or calls models, and only what other classes give has places", () => {
  const values = [{ type: "MINE_COLOR", name: "color", gives: { red: { $input: "mode.steps" } } }];
  assert.deepEqual(found({ outputs: [], calls: [], values }), []);
  assert.deepEqual(found({ values }), ["/classes/0/values cannot be beside outputs or calls"]);
  assert.deepEqual(found({ outputs: [], calls: [] }), ["/classes/0/outputs is empty", "/classes/0/calls is empty"]);
  const gives = { red: { $input: "stepz" } };
  assert.deepEqual(found({ outputs: [], calls: [], values: [{ ...values[0], gives }] }), [
    "/classes/0/values/0/gives/red/$input names stepz, which is no input of the class",
  ]);
  const body = "/classes/0/calls/0/body";
  assert.deepEqual(sends({ p: { $input: "prompt", at: "/x" } }), [
    `${body}/p is only for what other classes give; the input is STRING`,
  ]);
  assert.deepEqual(sends({ p: { $items: "image" } }), [
    `${body}/p is only for what other classes give; the input is IMAGE`,
  ]);
  const input = { required: { ...fine.input.required, color: ["MINE_COLOR", {}] } };
  const calls = [{ model: "mine/one", body: { p: { $input: "color", at: "x" } } }];
  assert.deepEqual(found({ input, calls }), [`${body}/p/at must be a JSON pointer, such as /substyle`]);
});

test("calls of another provider, unknown conditions and calls that are never made are found", () => {
  assert.deepEqual(found({ calls: [{ model: "other/one", body: {} }] }), [
    "/classes/0/calls/0/model must be a model of mine, whose classes these are",
  ]);
  assert.deepEqual(sends({}, { when: { moed: { given: true } } }), [
    "/classes/0/calls/0/when/moed names no input of the class",
  ]);
  assert.deepEqual(sends({}, { when: { mode: { is: ["medium"] } } }), [
    '/classes/0/calls/0/when/mode compares with "medium", which is not a choice',
  ]);
  assert.deepEqual(found({ calls: [...fine.calls, ...fine.calls] }), [
    "/classes/0/calls/1 is never made: the call before it has no conditions",
  ]);
});
