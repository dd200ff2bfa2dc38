// Values as nodes.
import type { Inputs } from "../../execution/inputs.ts";
import type { NodeRunner } from "../../execution/node-runner.ts";
import { flag, float, int, text, wholeMax } from "../../graph/describe-inputs.ts";
import type { InputDescription, SocketType } from "../../graph/node-class.ts";
import type { Value } from "../../pictures/picture.ts";

function primitive(
  name: string,
  displayName: string,
  type: SocketType,
  input: InputDescription,
  read: (inputs: Inputs) => Value,
): NodeRunner {
  return {
    description: {
      name,
      displayName,
      category: "utils/primitive",
      description: "A value.",
      inputs: [input],
      outputs: [{ type, name: type }],
    },
    weight: 0.1,
    run: (inputs) => [read(inputs)],
  };
}

export const primitives: readonly NodeRunner[] = [
  primitive(
    "PrimitiveInt",
    "Int",
    "INT",
    int("value", 0, -wholeMax, wholeMax, { controlAfterGenerate: true }),
    (inputs) => {
      const value = inputs.bigInt("value");
      return BigInt.asIntN(53, value) === value ? Number(value) : value;
    },
  ),
  primitive("PrimitiveFloat", "Float", "FLOAT", float("value", 0, -wholeMax, wholeMax, 0.1), (inputs) =>
    inputs.float("value"),
  ),
  primitive("PrimitiveString", "String", "STRING", text("value", ""), (inputs) => inputs.text("value")),
  primitive(
    "PrimitiveStringMultiline",
    "String (Multiline)",
    "STRING",
    text("value", "", { multiline: true }),
    (inputs) => inputs.text("value"),
  ),
  primitive("PrimitiveBoolean", "Boolean", "BOOLEAN", flag("value", false), (inputs) => inputs.flag("value")),
];
