// Partner-a's further tools: two that enlarge a picture and one that gives it another's style.
import { randomUUID } from "node:crypto";
import { wordsOf } from "../light/relight-order.ts";
import { portraitBeautifiers, portraitStyles, type StyleOrder, styleEngines, styleFlavors } from "../light/restyle.ts";
import { type EnlargeOrder, enlarge } from "../pictures/enlarge.ts";
import { randomFrom } from "../pictures/random.ts";
import { promptCharactersMax, requiredPicture, type Work } from "./partner-a.ts";
import { decodePicture, encodePicture, type PictureReader } from "./picture-source.ts";
import type { Fields } from "./read-fields.ts";

type Manner = Partial<Pick<EnlargeOrder, "sharpness" | "detail" | "saturation" | "contrast" | "grain">>;

const aims = {
  standard: {},
  soft_portraits: { sharpness: -0.15, contrast: 0.97 },
  hard_portraits: { sharpness: 0.2, contrast: 1.05 },
  art_n_illustration: { saturation: 1.08, detail: 0.1 },
  videogame_assets: { sharpness: 0.2, saturation: 1.1 },
  nature_n_landscapes: { saturation: 1.1, detail: 0.15 },
  films_n_photography: { grain: 0.12, contrast: 1.03 },
  "3d_renders": { detail: 0.15 },
  science_fiction_n_horror: { saturation: 0.9, contrast: 1.08 },
} satisfies Record<string, Manner>;

const engines = {
  automatic: {},
  magnific_illusio: { sharpness: -0.15, saturation: 1.04 },
  magnific_sharpy: { sharpness: 0.3 },
  magnific_sparkle: { detail: 0.2, contrast: 1.04 },
} satisfies Record<string, Manner>;

const flavors = {
  sublime: {},
  photo: { grain: 0.05 },
  photo_denoiser: {},
} satisfies Record<string, Manner>;

const scales = { "2x": 2, "4x": 4, "8x": 8, "16x": 16 };
const scaleWords = wordsOf<keyof typeof scales>("2x", scales);
const aimWords = wordsOf<keyof typeof aims>("standard", aims);
const engineWords = wordsOf<keyof typeof engines>("automatic", engines);
const flavorWords = wordsOf<keyof typeof flavors>("sublime", flavors);

const share = (value: number) => Math.max(0, Math.min(1, value));

// Prompt and creativity vary the result; resemblance reduces that.
export function readUpscaler(fields: Fields, reader: PictureReader): Work | null {
  const slider = (name: string) => fields.integer(name, -10, 10, 0) / 10;
  const [creativity, hdr] = [slider("creativity"), slider("hdr")];
  const [resemblance, fractality] = [slider("resemblance"), slider("fractality")];
  const prompt = fields.text("prompt", promptCharactersMax) ?? "";
  const manners: readonly Manner[] = [
    aims[fields.word("optimized_for", aimWords)],
    engines[fields.word("engine", engineWords)],
  ];
  const varied = share(0.35 + creativity * 0.3 - resemblance * 0.3) * (prompt === "" ? 0 : 1);
  const chance = randomFrom("enlarge", prompt);
  const order: EnlargeOrder = {
    times: scales[fields.word("scale_factor", scaleWords)],
    denoises: false,
    sharpness: share(0.35 + hdr * 0.3 + sumOf(manners, "sharpness")),
    detail: share(0.3 + fractality * 0.25 + creativity * 0.15 - resemblance * 0.1 + sumOf(manners, "detail")),
    grain: share(sumOf(manners, "grain")),
    saturation: productOf(manners, "saturation") * (1 + chance.between(-0.25, 0.25) * varied),
    contrast: productOf(manners, "contrast") * (1 + hdr * 0.06),
  };
  return enlarging(fields, reader, order);
}

export function readPrecisionUpscaler(fields: Fields, reader: PictureReader): Work | null {
  const percent = (name: string, usual: number) => fields.integer(name, 0, 100, usual) / 100;
  const flavor = fields.word("flavor", flavorWords);
  const manner: Manner = flavors[flavor];
  return enlarging(fields, reader, {
    times: fields.integer("scale_factor", 2, 16, 2),
    denoises: flavor === "photo_denoiser",
    sharpness: percent("sharpen", 7),
    detail: percent("ultra_detail", 30),
    grain: share(percent("smart_grain", 7) * 0.6 + (manner.grain ?? 0)),
    saturation: 1,
    contrast: 1,
  });
}

const sumOf = (manners: readonly Manner[], name: keyof Manner) =>
  manners.reduce((sum, manner) => sum + (manner[name] ?? 0), 0);
const productOf = (manners: readonly Manner[], name: keyof Manner) =>
  manners.reduce((product, manner) => product * (manner[name] ?? 1), 1);

function enlarging(fields: Fields, reader: PictureReader, order: EnlargeOrder): Work | null {
  const image = requiredPicture(fields, reader);
  if (!image || fields.problems.length > 0) return null;
  return async ({ publish }) => {
    const png = await enlarge(await reader.bytesOf(image), order);
    return { urls: [publish(png, "image/png", "png")], error: null };
  };
}

export function readStyleTransfer(fields: Fields, reader: PictureReader): Work | null {
  const image = requiredPicture(fields, reader);
  const reference = requiredPicture(fields, reader, "reference_image");
  fields.text("prompt", promptCharactersMax);
  const look = fields.word("portrait_style", portraitStyles);
  const beauty = fields.word("portrait_beautifier", portraitBeautifiers);
  const isFixed = fields.flag("fixed_generation", false);
  const style = fields.integer("style_strength", 0, 100, 100) / 100;
  const order: StyleOrder = {
    // Unless it is fixed, it varies a little each time.
    style: isFixed ? style : style * randomFrom("style", randomUUID()).between(0.94, 1),
    structure: fields.integer("structure_strength", 0, 100, 50) / 100,
    flavor: fields.word("flavor", styleFlavors),
    engine: fields.word("engine", styleEngines),
    portrait: fields.flag("is_portrait", false) ? { look, beauty } : null,
  };
  if (!image || !reference || fields.problems.length > 0) return null;
  return async ({ studio, publish }) => {
    const decoded = await decodePicture(await reader.bytesOf(image));
    const like = (await decodePicture(await reader.bytesOf(reference))).raster;
    const pixels = await studio.render({ kind: "restyle", image: decoded.raster, reference: like, order });
    return { urls: [publish(await encodePicture(pixels, decoded), "image/png", "png")], error: null };
  };
}
