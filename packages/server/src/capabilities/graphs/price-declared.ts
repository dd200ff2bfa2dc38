// What a node of a declared class can cost: the calls that its values allow, each with the input that the declaration makes of
// them. Values that only the run decides stay open, within their limits.
import {
  assemble,
  type ClassSet,
  chosenInputs,
  type DeclaredCall,
  describeDeclared,
  type InputDescription,
  type NodeDeclaration,
  type NodeValues,
  possibleCalls,
} from "@atelier/engine";
import { Unsure } from "../prices/index.ts";

// A value, `undefined` for none, an Unsure for one that only the run decides, or `linked` for a picture, sound or film.
export type KnownValue = (input: InputDescription) => unknown;

// A picture, sound or film, or what another class gives: it is there, and nothing more is known of it.
export const linked: unique symbol = Symbol("linked");

export function valuesKnown(declaration: NodeDeclaration, known: KnownValue): NodeValues {
  const { inputs } = describeDeclared(declaration);
  const byName = Map.groupBy(inputs, ({ name }) => name);
  const read = (name: string) => {
    const [first] = byName.get(name) ?? [];
    return first === undefined ? undefined : known(first);
  };
  const chosen = chosenInputs(inputs, (name) => {
    const value = read(name);
    return { isOpen: value instanceof Unsure, value };
  });
  const values = new Map(chosen.map((input) => [input.name, typed(input, known(input))]));
  return {
    value: (name) => values.get(name),
    items(name) {
      const given = [...values].filter(([each, value]) => isMember(each, name) && value !== undefined);
      return given.length === 0 ? [] : null;
    },
    isOpen: (value) => value instanceof Unsure,
    open: new Unsure(),
  };
}

const isMember = (name: string, group: string) => name === group || name.startsWith(`${group}.`);

// As the node reads it.
function typed(input: InputDescription, value: unknown): unknown {
  if (value === undefined || value === linked || value instanceof Unsure) return value;
  if (input.type === "INT" || input.type === "FLOAT") {
    if (typeof value === "bigint") return value;
    const number = Number(value);
    return input.type === "INT" ? Math.trunc(number) : number;
  }
  return input.type === "STRING" || input.type === "COMBO" ? String(value) : value;
}

export interface AssembledCall {
  readonly model: string;
  readonly input: unknown;
}

// One, unless only the run decides which; none if no call fits.
export function assembledCalls(declaration: NodeDeclaration, values: NodeValues): AssembledCall[] {
  return possibleCalls(declaration.calls, values).map(({ model, body }: DeclaredCall) => ({
    model,
    input: assemble(body, values),
  }));
}

// The models that a node of a graph may call, by its constants.
export function modelsOfNode(declaration: NodeDeclaration, inputs: Readonly<Record<string, unknown>>): string[] {
  const values = valuesKnown(declaration, (input) => {
    const given = Object.hasOwn(inputs, input.name) ? inputs[input.name] : undefined;
    if (given === undefined || given === null) return "default" in input ? input.default : undefined;
    return Array.isArray(given) ? openValue(input) : given;
  });
  return [...new Set(possibleCalls(declaration.calls, values).map(({ model }) => model))];
}

// The same for any class: a built-in one names its model in an input.
export function modelsOfClass(
  classes: ClassSet,
  classType: string,
  inputs: Readonly<Record<string, unknown>>,
): readonly string[] {
  const declaration = classes.declaration(classType);
  if (declaration) return modelsOfNode(declaration, inputs);
  const model = Object.hasOwn(inputs, "model") ? inputs["model"] : undefined;
  const isNamed = classes.get(classType)?.callsModel === true && typeof model === "string" && model.trim() !== "";
  return isNamed ? [model.trim()] : [];
}

// What is known of an input that is linked to a node that computes it.
export function openValue(input: InputDescription): unknown {
  switch (input.type) {
    case "INT":
    case "FLOAT":
      return new Unsure(Number(input.min), Number(input.max));
    case "STRING":
    case "COMBO":
    case "BOOLEAN":
      return new Unsure();
    default:
      return linked;
  }
}
