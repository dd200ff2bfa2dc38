// Partner-a's tools: what their bodies mean, what they produce, and how a task looks from outside.
import { randomUUID } from "node:crypto";
import { bodyBytesMax } from "../http/read-body.ts";
import { engines, type RelightOrder, styles, transferCurves, transferLevels } from "../light/relight-order.ts";
import { type SkinOrder, skinAims } from "../light/skin.ts";
import type { GenerateDeps } from "../models/generate.ts";
import type { Outcome, PartnerTask } from "./partner-tasks.ts";
import { decodePicture, encodePicture, type PictureReader, type PictureSource } from "./picture-source.ts";
import type { Fields } from "./read-fields.ts";
import { sandboxPartners } from "./sandbox-partners.ts";

// Work to be done later, any number of times.
export type Work = (deps: GenerateDeps) => Promise<Outcome>;

const pictureCharactersMax = bodyBytesMax;
export const promptCharactersMax = 20_000;

function picture(fields: Fields, reader: PictureReader, name: string): PictureSource | null {
  const text = fields.text(name, pictureCharactersMax);
  if (text === null) return null;
  const source = reader.sourceOf(text);
  if (typeof source !== "string") return source;
  fields.wrong(name, source);
  return null;
}

export function requiredPicture(fields: Fields, reader: PictureReader, name = "image"): PictureSource | null {
  if (!fields.has(name)) fields.wrong(name, "is required");
  return picture(fields, reader, name);
}

export function readRelight(fields: Fields, reader: PictureReader): Work | null {
  const image = requiredPicture(fields, reader);
  const [reference, lightmap] = ["transfer_light_from_reference_image", "transfer_light_from_lightmap"] as const;
  if (fields.has(reference) && fields.has(lightmap)) fields.wrong(lightmap, `excludes ${reference}`);
  const like = picture(fields, reader, reference);
  const light = like ?? picture(fields, reader, lightmap);
  const order = relightOrder(fields, like ? "reference" : light ? "lightmap" : null);
  if (!image || fields.problems.length > 0) return null;
  return async ({ studio, publish }) => {
    const decoded = await decodePicture(await reader.bytesOf(image));
    const source = light ? (await decodePicture(await reader.bytesOf(light))).raster : null;
    const pixels = await studio.render({ kind: "relight", image: decoded.raster, light: source, order });
    return { urls: [publish(await encodePicture(pixels, decoded), "image/png", "png")], error: null };
  };
}

function relightOrder(fields: Fields, source: RelightOrder["source"]): RelightOrder {
  const settings = fields.inside("advanced_settings");
  const tone = (name: string) => settings.number(name, 0, 100, 50);
  return {
    prompt: fields.text("prompt", promptCharactersMax) ?? "",
    source,
    strength: fields.integer("light_transfer_strength", 0, 100, 100) / 100,
    interpolates: fields.flag("interpolate_from_original", false),
    changesBackground: fields.flag("change_background", true),
    preservesDetails: fields.flag("preserve_details", true),
    style: fields.word("style", styles),
    engine: settings.word("engine", engines),
    level: settings.word("transfer_light_a", transferLevels),
    curve: settings.word("transfer_light_b", transferCurves),
    whites: tone("whites"),
    blacks: tone("blacks"),
    brightness: tone("brightness"),
    contrast: tone("contrast"),
    saturation: tone("saturation"),
    variation: settings.flag("fixed_generation", false) ? null : randomUUID(),
  };
}

export function readSkin(fields: Fields, reader: PictureReader, mode: SkinOrder["mode"]): Work | null {
  const image = requiredPicture(fields, reader);
  const order: SkinOrder = {
    mode,
    aim: mode === "flexible" ? fields.word("optimized_for", skinAims) : skinAims[0],
    sharpen: fields.integer("sharpen", 0, 100, 0),
    grain: fields.integer("smart_grain", 0, 100, 2),
    skinDetail: mode === "faithful" ? fields.integer("skin_detail", 0, 100, 80) : 80,
  };
  if (!image || fields.problems.length > 0) return null;
  return async ({ studio, publish }) => {
    const decoded = await decodePicture(await reader.bytesOf(image));
    const pixels = await studio.render({ kind: "skin", image: decoded.raster, order });
    return { urls: [publish(await encodePicture(pixels, decoded), "image/png", "png")], error: null };
  };
}

export function presentTask({ id, stage, outcome }: PartnerTask): object {
  return {
    task_id: id,
    status: sandboxPartners["partner-a"].states[stage],
    generated: stage === "completed" ? (outcome?.urls ?? []) : [],
  };
}
