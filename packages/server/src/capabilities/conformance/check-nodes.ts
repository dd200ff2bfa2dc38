// Whether node classes fit the provider whose models they call: the models exist, the inputs that the classes send are accepted,
// and their outputs are in the answers that the provider documents. Nothing is called.
import {
  assemble,
  assembleOne,
  chosenInputs,
  type DeclaredCall,
  describeDeclared,
  foundAt,
  type InputDescription,
  MediaSlot,
  type NodeDeclaration,
  type NodeValues,
  possibleCalls,
} from "@atelier/engine";
import { compileSchema } from "../../foundation/json/schema.ts";
import type { ModelDefinition, ProviderDefinition } from "../providers/index.ts";
import type { ProviderFixtures } from "./fixtures.ts";

export interface NodesFinding {
  // JSON pointer into the file of classes.
  readonly path: string;
  readonly class: string;
  readonly problem: string;
}

export interface CheckNodes {
  readonly classes: readonly NodeDeclaration[];
  readonly definition: ProviderDefinition;
  readonly fixtures: ProviderFixtures | null;
}

export function checkNodes({ classes, definition, fixtures }: CheckNodes): NodesFinding[] {
  const models = new Map(definition.models.map((model) => [`${definition.provider}/${model.model}`, model]));
  return classes.flatMap((declared, at) => {
    const found = declared.calls.flatMap((call, index) => {
      const model = models.get(call.model);
      const path = `/classes/${at}/calls/${index}`;
      if (model === undefined) return [{ path: `${path}/model`, problem: `${call.model} is not in the definition` }];
      return [
        ...inputFindings({ declared, call, classes }, model).map((problem) => ({ path: `${path}/body`, problem })),
        ...outputFindings(declared, model, fixtures).map(({ output, problem }) => ({
          path: `/classes/${at}/outputs/${output}/from`,
          problem,
        })),
      ];
    });
    const unique = new Map(found.map((finding) => [`${finding.path} ${finding.problem}`, finding]));
    return [...unique.values()].map((finding) => ({ ...finding, class: declared.name }));
  });
}

interface CheckedCall {
  readonly declared: NodeDeclaration;
  readonly call: DeclaredCall;
  // Among them are those that give values to this one.
  readonly classes: readonly NodeDeclaration[];
}

// The input of a node with its defaults, and texts and pictures where it has none, for each choice that leads to this call.
function inputFindings({ declared, call, classes }: CheckedCall, model: ModelDefinition): string[] {
  const { input_schema: schema } = model;
  const compiled = schema === null ? null : compileSchema(schema);
  const problems = examplesFor(declared, classes).flatMap((values) => {
    const [made] = possibleCalls(declared.calls, values);
    if (made !== call || compiled === null) return [];
    return compiled.violations(plain(assemble(call.body, values))).map(({ path, message }) => `${path} ${message}`);
  });
  return [...new Set(problems)].slice(0, 10).map((problem) => `the model refuses what it sends: ${problem}`);
}

export const exampleText = "An example of a text that somebody might write.";

// One set of values for each choice of each list, everything else at its default; pictures connected and not.
export function examplesFor(declared: NodeDeclaration, classes: readonly NodeDeclaration[] = []): NodeValues[] {
  const { inputs } = describeDeclared(declared);
  const combos = inputs.flatMap((input) =>
    input.type === "COMBO" ? (input.options ?? []).map((choice) => ({ input, choice })) : [],
  );
  const given = (input: InputDescription) => givenTo(input, classes);
  return [null, ...combos].flatMap((picked) =>
    [true, false].map((isLinked) => valuesWith(inputs, { isLinked, picked, given })),
  );
}

interface Picked {
  readonly input: InputDescription;
  readonly choice: string;
}

// What a class of the file gives to such a socket, with its defaults. Undefined if none does.
function givenTo(input: InputDescription, classes: readonly NodeDeclaration[]): unknown {
  const types = "types" in input ? (input.types ?? []) : [];
  for (const declared of classes) {
    const value = declared.values?.find(({ type }) => types.includes(type));
    const [example] = value ? examplesFor(declared) : [];
    if (value && example) return assembleOne(value.gives, example);
  }
  return undefined;
}

const picture = Symbol("picture");

interface Example {
  readonly isLinked: boolean;
  readonly picked: Picked | null;
  given(input: InputDescription): unknown;
}

function valuesWith(inputs: readonly InputDescription[], { isLinked, picked, given: givenBy }: Example): NodeValues {
  const given = new Map<string, unknown>();
  // The choice that brings the picked input, and the one that brings that.
  for (let at: InputDescription | undefined = picked?.input; at?.onlyFor; ) {
    const { input, choices } = at.onlyFor;
    given.set(input, choices[0]);
    at = inputs.find(({ name }) => name === input);
  }
  if (picked) given.set(picked.input.name, picked.choice);
  const read = (input: InputDescription): unknown => {
    if (given.has(input.name)) return given.get(input.name);
    // What a choice brings is optional only for the other choices.
    const mayBeAbsent = input.onlyFor ? input.onlyFor.mayBeAbsent === true : input.optional === true;
    if (input.type === "STRING") return input.default || (mayBeAbsent ? "" : exampleText);
    if ("default" in input) return input.default;
    if (!isLinked && mayBeAbsent) return undefined;
    return input.type === "*" ? givenBy(input) : picture;
  };
  const byName = new Map(inputs.map((input) => [input.name, read(input)]));
  const chosen = chosenInputs(inputs, (name) => ({ isOpen: false, value: given.get(name) ?? byName.get(name) }));
  const values = new Map(chosen.map((input) => [input.name, read(input)]));
  return {
    value: (name) => values.get(name),
    items: (name) =>
      [...values].filter(([each, value]) => (each === name || each.startsWith(`${name}.`)) && value === picture),
    isOpen: () => false,
    open: undefined,
  };
}

// Media as the text that is sent in their place.
function plain(value: unknown): unknown {
  if (value instanceof MediaSlot) return value.as === "base64" ? "aGVsbG8=" : "data:image/png;base64,aGVsbG8=";
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

function outputFindings(declared: NodeDeclaration, model: ModelDefinition, fixtures: ProviderFixtures | null) {
  const cases = fixtures?.models[model.model]?.cases.filter(({ means }) => means === "completed") ?? [];
  const answers = cases.flatMap(({ answers: all }) => all.slice(-1));
  if (answers.length === 0) return [];
  return declared.outputs.flatMap((output, at) => {
    const isFound = answers.some(({ body, text }) =>
      output.from.some((pointer) =>
        pointer === ""
          ? text !== undefined
          : foundAt(body, pointer).some((each) => typeof each === "string" && each !== ""),
      ),
    );
    if (isFound || output.otherwise !== undefined) return [];
    return [
      { output: at, problem: `no documented answer of ${model.model} has a value at ${output.from.join(" or ")}` },
    ];
  });
}
