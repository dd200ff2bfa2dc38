// The form while it is made: names stay unique and valid, order is kept, and what the server would refuse is said at its field.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { WorkForm, WorkInput } from "@atelier/sdk";
import fc from "fast-check";
import {
  addInput,
  addOutput,
  changeInput,
  choicesIn,
  freeName,
  keyOf,
  moveInput,
  problemsIn,
  removeInput,
} from "./form-draft.ts";

const input = (given: Partial<WorkInput> = {}): WorkInput => ({
  name: "seed",
  node: "3",
  input: "seed",
  kind: "integer",
  ...given,
});
const empty: WorkForm = { inputs: [], outputs: [{ name: "picture", node: "9" }] };
const namesOf = ({ inputs }: WorkForm) => inputs.map(({ name }) => name);

describe("names", () => {
  test("any text becomes a name that the server accepts, and no two are equal", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" }), { maxLength: 8 }), (texts) => {
        const names: string[] = [];
        for (const text of texts) names.push(freeName(text, names));
        assert.equal(new Set(names).size, names.length);
        for (const name of names) assert.match(name, /^[a-z][a-z0-9_]{0,63}$/);
      }),
    );
    assert.equal(freeName("Größe: Höhe", []), "gro_e_hohe");
    assert.equal(freeName("3 steps", []), "steps");
  });

  test("an added input keeps its name unless another has it, and is added once", () => {
    let form = addInput(empty, input());
    form = addInput(form, input({ node: "4" }));
    form = addInput(form, input({ node: "4" }));
    assert.deepEqual(namesOf(form), ["seed", "seed_2"]);
    assert.equal(namesOf(addInput(empty, input({ name: "outputs_as" })))[0], "outputs_as_2");
    assert.deepEqual(
      addOutput(form, { name: "picture", node: "8" }).outputs.map(({ name }) => name),
      ["picture", "picture_2"],
    );
  });
});

describe("order", () => {
  const three = ["a", "b", "c"].reduce((form, name) => addInput(form, input({ name, node: name })), empty);

  test("moving keeps every input, and stops at both ends", () => {
    assert.deepEqual(namesOf(moveInput(three, 0, 2)), ["b", "c", "a"]);
    assert.deepEqual(namesOf(moveInput(three, 2, 1)), ["a", "c", "b"]);
    assert.deepEqual(namesOf(moveInput(three, 0, -1)), ["a", "b", "c"]);
    assert.deepEqual(namesOf(moveInput(three, 2, 3)), ["a", "b", "c"]);
  });

  test("one input may set several nodes: each of its values is taken, and can be let go", () => {
    const also = [
      { node: "x", input: "width" },
      { node: "y", input: "width" },
    ];
    const form: WorkForm = { ...empty, inputs: [input({ name: "width", node: "a", input: "width", also })] };
    assert.equal(addInput(form, input({ node: "x", input: "width" })), form, "it is set already");
    const fewer = removeInput(form, keyOf({ node: "x", input: "width" }));
    assert.deepEqual(fewer.inputs[0]?.also, [{ node: "y", input: "width" }]);
    const alone = removeInput(fewer, keyOf({ node: "y", input: "width" }));
    assert.equal("also" in (alone.inputs[0] ?? {}), false);
    assert.deepEqual(removeInput(form, keyOf({ node: "a", input: "width" })).inputs, []);
  });

  test("a removed input leaves the others in order", () => {
    assert.deepEqual(namesOf(removeInput(three, keyOf({ node: "b", input: "seed" }))), ["a", "c"]);
  });
});

describe("what the server would refuse", () => {
  const saidOf = (form: WorkForm) => problemsIn(form).map(({ path }) => path.join("/"));
  const withInput = (given: Partial<WorkInput>): WorkForm => ({ ...empty, inputs: [input(given)] });

  test("a good form has no problems", () => {
    assert.deepEqual(problemsIn(withInput({ minimum: 0, maximum: 10, step: 2, default: 4 })), []);
    const big = 18446744073709551615n as unknown as number;
    assert.deepEqual(problemsIn(withInput({ maximum: big, default: big })), []);
  });

  test("names, bounds, choices, defaults and missing outputs are reported at their fields", () => {
    assert.deepEqual(saidOf(withInput({ name: "Not a name" })), ["inputs/0/name"]);
    assert.deepEqual(saidOf(withInput({ name: "outputs_as" })), ["inputs/0/name"]);
    assert.deepEqual(saidOf({ ...empty, inputs: [input(), input({ node: "5" })] }), ["inputs/1/name"]);
    assert.deepEqual(saidOf(withInput({ minimum: 3, maximum: 2 })), ["inputs/0/maximum"]);
    assert.deepEqual(saidOf(changeInput(withInput({}), 0, { minimum: "many" })), ["inputs/0/minimum"]);
    assert.deepEqual(saidOf(withInput({ step: 0 })), ["inputs/0/step"]);
    assert.deepEqual(saidOf(withInput({ maximum: 5, default: 9 })), ["inputs/0/default"]);
    assert.deepEqual(saidOf(withInput({ kind: "choice" })), ["inputs/0/choices"]);
    assert.deepEqual(saidOf({ inputs: [], outputs: [] }), ["outputs"]);
  });

  test("a default that nobody gets is not checked", () => {
    assert.deepEqual(problemsIn(withInput({ maximum: 5, default: 9, random: true })), []);
    assert.deepEqual(problemsIn(withInput({ maximum: 5, default: 9, required: true })), []);
  });

  test("a cleared field is left out", () => {
    const form = changeInput(withInput({ label: "Seed", minimum: 1 }), 0, { label: undefined, minimum: undefined });
    assert.deepEqual(form.inputs[0], input());
  });
});

test("choices are lines, without empty or equal ones; numbers stay numbers", () => {
  assert.deepEqual(choicesIn("euler\n\n ddim \neuler", ["euler"]), ["euler", "ddim"]);
  assert.deepEqual(choicesIn("1\n2.5", [1]), [1, 2.5]);
  assert.deepEqual(choicesIn("1\ntwo", [1]), ["1", "two"]);
});
