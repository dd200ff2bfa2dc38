// One class that scales pictures and masks in eight ways; which inputs it has depends on the way.
import type { Inputs } from "../execution/inputs.ts";
import { NodeError } from "../execution/node-error.ts";
import type { NodeRunner } from "../execution/node-runner.ts";
import type { InputConfig } from "../graph/describe-classes.ts";
import { inputConfig } from "../graph/describe-classes.ts";
import { anything, choice, float, int, scaleMethods, sideMax } from "../graph/describe-inputs.ts";
import type { InputDescription } from "../graph/node-class.ts";
import { type Mask, type Picture, roundHalfEven, type Size } from "../pictures/picture.ts";
import { crops, scaled } from "../pictures/scale.ts";
import { completeSize } from "./image-scaling.ts";

const side = (name: string) => int(name, 512, 0, sideMax, { step: 1 });
const crop = choice("crop", crops, { default: "center" });

interface Way {
  readonly inputs: readonly InputDescription[];
  // Null: nothing is to be done.
  readonly size: (source: Size, of: (name: string) => number, inputs: Inputs) => Size | null;
}

const by = (source: Size, factor: number): Size => ({
  width: roundHalfEven(source.width * factor),
  height: roundHalfEven(source.height * factor),
});

const ways: Readonly<Record<string, Way>> = {
  "scale by multiplier": {
    inputs: [float("multiplier", 1, 0.01, 8, 0.01)],
    size: (source, of) => by(source, of("multiplier")),
  },
  "scale dimensions": {
    inputs: [side("width"), side("height"), crop],
    size: (source, of) => completeSize(source, of("width"), of("height")),
  },
  "scale longer dimension": {
    inputs: [side("longer_size")],
    size: ({ width, height }, of) => ({
      width: height > width ? roundHalfEven((width / height) * of("longer_size")) : of("longer_size"),
      height: width > height ? roundHalfEven((height / width) * of("longer_size")) : of("longer_size"),
    }),
  },
  // What is higher than wide becomes a square, in the application too.
  "scale shorter dimension": {
    inputs: [side("shorter_size")],
    size: ({ width, height }, of) => ({
      width: height < width ? roundHalfEven((width / height) * of("shorter_size")) : of("shorter_size"),
      height: of("shorter_size"),
    }),
  },
  "scale width": { inputs: [side("width")], size: (source, of) => completeSize(source, of("width"), 0) },
  "scale height": { inputs: [side("height")], size: (source, of) => completeSize(source, 0, of("height")) },
  "scale total pixels": {
    inputs: [float("megapixels", 1, 0.01, 16, 0.01)],
    size: (source, of) =>
      by(source, Math.sqrt(Math.trunc(of("megapixels") * 1024 * 1024) / (source.width * source.height))),
  },
  "match size": {
    inputs: [anything("match"), crop],
    size: (_source, _of, inputs) => pictureOrMask(inputs, `${group}.match`),
  },
};

const group = "resize_type";

// Each by its full name, once; whether the chosen way has its own is seen when it runs.
const inner = new Map(
  Object.values(ways).flatMap(({ inputs }) =>
    inputs.map((input) => [input.name, { ...input, name: `${group}.${input.name}`, optional: true }] as const),
  ),
);

const methods = choice("scale_method", scaleMethods, { default: "area" });
const configs = (inputs: readonly InputDescription[]): Record<string, InputConfig> =>
  Object.fromEntries(inputs.map((input) => [input.name, input.type === "*" ? ["IMAGE,MASK", {}] : inputConfig(input)]));

export const resizeImageMaskNode: NodeRunner = {
  description: {
    name: "ResizeImageMaskNode",
    displayName: "Resize Image/Mask",
    category: "transform",
    description: "Scales a picture or a mask, in one of eight ways.",
    inputs: [anything("input"), choice(group, Object.keys(ways)), ...inner.values(), methods],
    outputs: [{ type: "*", name: "resized" }],
    shown: {
      required: {
        input: ["COMFY_MATCHTYPE_V3", { template: { template_id: "input_type", allowed_types: "IMAGE,MASK" } }],
        [group]: [
          "COMFY_DYNAMICCOMBO_V3",
          { options: Object.entries(ways).map(([key, way]) => ({ key, inputs: { required: configs(way.inputs) } })) },
        ],
        scale_method: inputConfig(methods),
      },
      output: ["COMFY_MATCHTYPE_V3"],
    },
  },
  weight: 2,
  async run(inputs, context) {
    const source = pictureOrMask(inputs, "input");
    const way = ways[inputs.choice(group)];
    if (!way) throw new NodeError(`${group}: one of its choices was expected.`);
    const missing = way.inputs.find(({ name }) => !inputs.has(`${group}.${name}`));
    if (missing) throw new NodeError(`${group}.${missing.name}: a value was expected.`);
    const size = way.size(source, (name) => inputs.float(`${group}.${name}`), inputs);
    if (!size) return [source];
    const isCropped = way.inputs.includes(crop) && inputs.choice(`${group}.crop`) === "center";
    const method = inputs.oneOf("scale_method", scaleMethods);
    const wanted = { width: Math.trunc(size.width), height: Math.trunc(size.height) };
    return [await scaled(source, wanted, method, isCropped ? "center" : "disabled", context)];
  },
};

function pictureOrMask(inputs: Inputs, name: string): Picture | Mask {
  const value = inputs.raw(name);
  const isMask = typeof value === "object" && value !== null && "kind" in value && value.kind === "mask";
  return isMask ? inputs.mask(name) : inputs.image(name);
}
