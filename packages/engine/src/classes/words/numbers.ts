// Numbers from an expression, from another kind of value, and texts from JSON: classes that only the application's newer version
// has.
import type { Inputs } from "../../execution/inputs.ts";
import { NodeError } from "../../execution/node-error.ts";
import type { NodeRunner } from "../../execution/node-runner.ts";
import { output, text } from "../../graph/describe-inputs.ts";
import { type ExpressionValue, evaluateExpression } from "../../python/evaluate-expression.ts";
import { ExpressionProblem, type Numeric, readExpression } from "../../python/read-expression.ts";
import { floatText } from "../../python/texts.ts";

const letters = Array.from("abcdefghijklmnopqrstuvwxyz");
const numberTypes = ["FLOAT", "INT", "BOOLEAN"] as const;

// A number from a link that carries floats is a float, even if its fraction is zero.
function given(inputs: Inputs, name: string): Numeric {
  const raw = inputs.raw(name);
  if (typeof raw === "boolean" || typeof raw === "bigint") return raw;
  if (typeof raw !== "number") throw new NodeError(`${name}: expected a number.`);
  return Number.isInteger(raw) && !inputs.isFloat(name) ? BigInt(raw) : raw;
}

const plainWhole = (value: bigint): number | bigint => (BigInt.asIntN(54, value) === value ? Number(value) : value);

function computed(expression: string, names: ReadonlyMap<string, ExpressionValue>): Numeric {
  if (expression.trim() === "") throw new NodeError("expression: it is empty.");
  try {
    const value = evaluateExpression(readExpression(expression), names);
    if (typeof value === "object") throw new ExpressionProblem("The expression gives a list, not a number.");
    if (!Number.isFinite(Number(value)))
      throw new ExpressionProblem("The expression gives a number that is not finite.");
    return value;
  } catch (error) {
    throw error instanceof ExpressionProblem ? new NodeError(`expression: ${error.message}`) : error;
  }
}

export const comfyMathExpression: NodeRunner = {
  description: {
    name: "ComfyMathExpression",
    displayName: "Math Expression",
    category: "utilities",
    description:
      "A number from an expression over the connected values, which are called a, b, c … and together values.",
    inputs: [
      text("expression", "a + b", { multiline: true }),
      ...letters.map(
        (letter, at) =>
          ({ name: `values.${letter}`, type: "*", types: numberTypes, ...(at > 0 ? { optional: true } : {}) }) as const,
      ),
    ],
    outputs: [output("FLOAT", "FLOAT"), output("INT", "INT"), output("BOOLEAN", "BOOL")],
    shown: {
      required: {
        expression: ["STRING", { default: "a + b", multiline: true }],
        values: [
          "COMFY_AUTOGROW_V3",
          { template: { input: { required: { value: [numberTypes.join(","), {}] } }, names: letters, min: 1 } },
        ],
      },
    },
  },
  weight: 0.1,
  run(inputs) {
    const values = letters.filter((letter) => inputs.has(`values.${letter}`));
    const names = new Map<string, ExpressionValue>(values.map((letter) => [letter, given(inputs, `values.${letter}`)]));
    names.set(
      "values",
      values.map((letter) => given(inputs, `values.${letter}`)),
    );
    const value = computed(inputs.text("expression"), names);
    const whole = typeof value === "number" ? BigInt(Math.trunc(value)) : BigInt(value);
    return [Number(value), plainWhole(whole), Boolean(value)];
  },
};

const pythonFloat = /^[+-]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?$/;

export const comfyNumberConvert: NodeRunner = {
  description: {
    name: "ComfyNumberConvert",
    displayName: "Convert Number",
    category: "utilities",
    description: "A number from another number, a text or a truth value.",
    inputs: [{ name: "value", type: "*", types: ["INT", "FLOAT", "STRING", "BOOLEAN"] }],
    outputs: [output("FLOAT", "FLOAT"), output("INT", "INT")],
  },
  weight: 0.1,
  run(inputs) {
    const raw = inputs.raw("value");
    if (typeof raw !== "string") {
      const value = given(inputs, "value");
      return [Number(value), plainWhole(typeof value === "number" ? BigInt(Math.trunc(value)) : BigInt(value))];
    }
    const written = raw.trim();
    const value = pythonFloat.test(written) ? Number(written.replaceAll("_", "")) : Number.NaN;
    if (!Number.isFinite(value)) throw new NodeError(`value: '${written.slice(0, 100)}' is not a number.`);
    const isWhole = /^[+-]?[\d_]+$/.test(written);
    return [value, plainWhole(isWhole ? BigInt(written.replaceAll(/[+_]/g, "")) : BigInt(Math.trunc(value)))];
  },
};

// As Python writes a value that came from JSON.
function pythonText(value: unknown, isInner = false): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return isInner ? quoted(value) : value;
  if (Array.isArray(value)) return `[${value.map((each) => pythonText(each, true)).join(", ")}]`;
  if (typeof value !== "object") return String(value);
  const members = Object.entries(value).map(([name, each]) => `${quoted(name)}: ${pythonText(each, true)}`);
  return `{${members.join(", ")}}`;
}

function quoted(value: string): string {
  const mark = value.includes("'") && !value.includes('"') ? '"' : "'";
  const escaped = value
    .replaceAll("\\", "\\\\")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t");
  return `${mark}${mark === "'" ? escaped.replaceAll("'", "\\'") : escaped}${mark}`;
}

// Numbers keep their spelling: 1.0 is not a whole number, and digits beyond a double are not lost.
function withWrittenNumbers(json: string): unknown {
  return JSON.parse(json, (_name, value: unknown, context?: { source?: string }) => {
    if (typeof value !== "number") return value;
    const source = context?.source ?? String(value);
    return { written: /^-?\d+$/.test(source) ? source : floatText(value) };
  });
}

function isWritten(value: unknown): value is { readonly written: string } {
  return typeof value === "object" && value !== null && "written" in value && typeof value.written === "string";
}

export const jsonExtractString: NodeRunner = {
  description: {
    name: "JsonExtractString",
    displayName: "Extract Text from JSON",
    category: "text",
    description: "The value of one member of a JSON object as a text; empty if there is none or the text is not JSON.",
    inputs: [text("json_string", "", { multiline: true }), text("key", "")],
    outputs: [output("STRING", "STRING")],
  },
  weight: 0.1,
  run(inputs) {
    const [json, key] = [inputs.text("json_string"), inputs.text("key")];
    try {
      const plain: unknown = JSON.parse(json);
      const isObject =
        typeof plain === "object" && plain !== null && !Array.isArray(plain) && Object.hasOwn(plain, key);
      if (!isObject) return [""];
      const value = new Map(Object.entries(plain)).get(key);
      if (value === null) return [""];
      const exact = new Map(Object.entries(Object(withWrittenNumbers(json)))).get(key);
      return [textOf(value, exact)];
    } catch {
      return [""];
    }
  },
};

function textOf(value: unknown, exact: unknown): string {
  return typeof value === "number" && isWritten(exact) ? exact.written : pythonText(value);
}
