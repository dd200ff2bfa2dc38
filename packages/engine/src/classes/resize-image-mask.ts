// One class that scales pictures and masks in several ways; its inputs depend on the way.
import type { Inputs } from "../execution/inputs.ts";
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext, NodeRunner } from "../execution/node-runner.ts";
import type { InputConfig } from "../graph/describe-classes.ts";
import { inputConfig } from "../graph/describe-classes.ts";
import { anything, choice, float, int, scaleMethods, sideMax } from "../graph/describe-inputs.ts";
import type { InputDescription } from "../graph/node-class.ts";
import { cropped } from "../pictures/crop.ts";
import { type Mask, type Picture, roundHalfEven, type Size, type Value } from "../pictures/picture.ts";
import { crops, scaled } from "../pictures/scaling/scale.ts";
import { completeSize } from "./image-scaling.ts";

const side = (name: string) => int(name, 512, 0, sideMax, { step: 1 });
const crop = choice("crop", crops, { default: "center" });

interface Wanted extends Size {
  // The centre part that remains after scaling.
  readonly middle?: Size;
}

interface Way {
  readonly inputs: readonly InputDescription[];
  // Null if there is nothing to do.
  readonly size: (source: Size, of: (name: string) => number, inputs: Inputs) => Wanted | null;
}

const by = (source: Size, factor: number): Size => ({
  width: roundHalfEven(source.width * factor),
  height: roundHalfEven(source.height * factor),
});

const byMultiplier: Way = {
  inputs: [float("multiplier", 1, 0.01, 8, 0.01)],
  size: (source, of) => by(source, of("multiplier")),
};

const dimensions: Way = {
  inputs: [side("width"), side("height"), crop],
  size: (source, of) => completeSize(source, of("width"), of("height")),
};

const longerDimension: Way = {
  inputs: [side("longer_size")],
  size: ({ width, height }, of) => ({
    width: height > width ? roundHalfEven((width / height) * of("longer_size")) : of("longer_size"),
    height: width > height ? roundHalfEven((height / width) * of("longer_size")) : of("longer_size"),
  }),
};

// In the application's older version a portrait picture becomes a square.
const shorterDimension = (isMended: boolean): Way => ({
  inputs: [side("shorter_size")],
  size: ({ width, height }, of) => ({
    width: height < width ? roundHalfEven((width / height) * of("shorter_size")) : of("shorter_size"),
    height: isMended && width < height ? roundHalfEven((height / width) * of("shorter_size")) : of("shorter_size"),
  }),
});

const otherWays: Readonly<Record<string, Way>> = {
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

// Rounds both sides down to a multiple, scales to cover that, and crops the excess evenly.
const toMultiple: Way = {
  inputs: [int("multiple", 8, 1, sideMax, { step: 1 })],
  size({ width, height }, of) {
    const down = (length: number) => Math.floor(length / of("multiple")) * of("multiple");
    const middle = { width: down(width), height: down(height) };
    const isDone = middle.width === width && middle.height === height;
    if (isDone || middle.width === 0 || middle.height === 0) return null;
    const [across, along] = [middle.width / width, middle.height / height];
    return across >= along
      ? { width: middle.width, height: Math.max(Math.ceil(height * across), middle.height), middle }
      : { width: Math.max(Math.ceil(width * along), middle.width), height: middle.height, middle };
  },
};

type Ways = Readonly<Record<string, Way>>;

const olderWays: Ways = {
  "scale by multiplier": byMultiplier,
  "scale dimensions": dimensions,
  "scale longer dimension": longerDimension,
  "scale shorter dimension": shorterDimension(false),
  ...otherWays,
};

const newerWays: Ways = {
  "scale dimensions": dimensions,
  "scale by multiplier": byMultiplier,
  "scale longer dimension": longerDimension,
  "scale shorter dimension": shorterDimension(true),
  ...otherWays,
  "scale to multiple": toMultiple,
};

const group = "resize_type";

// Each once, by its full name, with the ways that need it.
function innerInputs(ways: Ways): InputDescription[] {
  const inner = new Map<string, InputDescription>();
  for (const [key, { inputs }] of Object.entries(ways)) {
    for (const input of inputs) {
      const choices = [...(inner.get(input.name)?.onlyFor?.choices ?? []), key];
      const name = `${group}.${input.name}`;
      inner.set(input.name, { ...input, name, optional: true, onlyFor: { input: group, choices } });
    }
  }
  return [...inner.values()];
}

const methods = choice("scale_method", scaleMethods, { default: "area" });
const configs = (inputs: readonly InputDescription[]): Record<string, InputConfig> =>
  Object.fromEntries(inputs.map((input) => [input.name, input.type === "*" ? ["IMAGE,MASK", {}] : inputConfig(input)]));

function resizing(ways: Ways, count: string): NodeRunner {
  return {
    description: {
      name: "ResizeImageMaskNode",
      displayName: "Resize Image/Mask",
      category: "transform",
      description: `Scales a picture or a mask, in one of ${count} ways.`,
      inputs: [anything("input"), choice(group, Object.keys(ways)), ...innerInputs(ways), methods],
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
    run: (inputs, context) => resized(ways, inputs, context),
  };
}

async function resized(ways: Ways, inputs: Inputs, context: NodeContext): Promise<Value[]> {
  const source = pictureOrMask(inputs, "input");
  const way = ways[inputs.choice(group)];
  if (!way) throw new NodeError(`${group}: expected one of its choices.`);
  const missing = way.inputs.find(({ name }) => !inputs.has(`${group}.${name}`));
  if (missing) throw new NodeError(`${group}.${missing.name}: expected a value.`);
  const size = way.size(source, (name) => inputs.float(`${group}.${name}`), inputs);
  if (!size) return [source];
  const isCropped = way.inputs.includes(crop) && inputs.choice(`${group}.crop`) === "center";
  const method = inputs.oneOf("scale_method", scaleMethods);
  const wanted = { width: Math.trunc(size.width), height: Math.trunc(size.height) };
  const whole = await scaled(source, wanted, method, isCropped ? "center" : "disabled", context);
  if (!size.middle) return [whole];
  const half = (outer: number, inner: number) => Math.floor((outer - inner) / 2);
  const [x, y] = [half(whole.width, size.middle.width), half(whole.height, size.middle.height)];
  return [cropped(whole, { x, y, width: size.middle.width, height: size.middle.height }, context)];
}

export const resizeImageMaskNode = resizing(olderWays, "eight");
export const newerResizeImageMaskNode = resizing(newerWays, "nine");

function pictureOrMask(inputs: Inputs, name: string): Picture | Mask {
  const value = inputs.raw(name);
  const isMask = typeof value === "object" && value !== null && "kind" in value && value.kind === "mask";
  return isMask ? inputs.mask(name) : inputs.image(name);
}
