// Relights a picture. We remove part of the old light and apply the new one as a factor per pixel and colour, so that texture
// and edges stay; then haze, look and the finer controls. At strength 0 every pixel stays as it was.
import { randomFrom } from "../pictures/random.ts";
import {
  colourfulnessOf,
  curved,
  decoloured,
  exposed,
  type LightField,
  lampField,
  pictureField,
  reliefOf,
  widened,
} from "./light-field.ts";
import { type LightPlan, planLight } from "./light-words.ts";
import { blurred, guided, mapped, meanOf, type Plane, resized } from "./plane.ts";
import { luminanceOf, type Raster, readScenery, type Scenery } from "./raster.ts";
import { curveShapes, type Look, levelFactors, lookOf, type RelightOrder } from "./relight-order.ts";
import { skinOf, subjectOf } from "./subject.ts";
import { developed, gradeTo } from "./tone.ts";

const gridSide = 384;
const floor = 1 / 512;

export function relight(image: Raster, light: Raster | null, order: RelightOrder): Uint8Array<ArrayBuffer> {
  const scenery = readScenery(image);
  const brightness = mapped(luminanceOf(scenery), (value) => Math.log2(value + floor));
  const look = lookOf(order.style, order.engine);
  const source = light && order.source ? readScenery(light) : null;
  const fields = fieldsFor(scenery, brightness, source, order, look);
  const side = Math.max(image.width, image.height);
  return developed({
    image,
    scenery,
    ratio: fields.ratio,
    haze: fields.haze,
    wash: fields.wash,
    grade: source && order.source === "reference" ? gradeTo(scenery, source) : null,
    detail: isDetailTouched(order, look) ? detailOf(brightness, side / 90, 0.3) : null,
    evenness: look.evening > 0 ? evennessOf(brightness, side / 14) : null,
    look,
    order,
  });
}

const isDetailTouched = (order: RelightOrder, look: Look) => look.detail !== 0 || !order.preservesDetails;

function detailOf(brightness: Plane, radius: number, edge: number): Plane {
  const base = guided(brightness, brightness, Math.max(2, radius), edge);
  return mapped(brightness, (value, at) => value - (base.values[at] ?? 0));
}

// How far each region is from the middle brightness.
function evennessOf(brightness: Plane, radius: number): Plane {
  const base = guided(brightness, brightness, Math.max(3, radius), 0.9);
  const mean = meanOf(base);
  return mapped(base, (value) => value - mean);
}

interface Fields {
  // In stops per colour.
  readonly ratio: LightField;
  readonly haze: LightField;
  // How much of the old colour goes first: a blue sky in golden light is not green.
  readonly wash: Plane;
}

function fieldsFor(
  scenery: Scenery,
  brightness: Plane,
  source: Scenery | null,
  order: RelightOrder,
  look: Look,
): Fields {
  const scale = Math.min(1, gridSide / Math.max(scenery.width, scenery.height));
  const width = Math.max(2, Math.round(scenery.width * scale));
  const height = Math.max(2, Math.round(scenery.height * scale));
  const small = smaller(scenery, width, height);
  const logs = resized(brightness, width, height);
  const subject = subjectOf(small, logs);
  const plan = varied(planLight(order.prompt), order.variation);
  const lit = arranged(fieldFrom(plan, logs, subject, source, order, look), order, look);
  const side = Math.max(width, height);
  const oldLight = blurred(guided(logs, logs, side / 20, 0.6), side / 7);
  const mean = meanOf(oldLight);
  const faces = order.level === "high_on_faces" ? skinOf(small, logs) : null;
  const backdrop = order.changesBackground ? 1.15 : 0.55;
  const factor = mapped(subject, (body, at) => {
    const level = levelFactors[order.level] * (faces ? 1 + 0.8 * (faces.values[at] ?? 0) : 1);
    return level * (body + (1 - body) * backdrop);
  });
  const stops = (plane: Plane) =>
    mapped(plane, (value, at) => {
      const old = ((oldLight.values[at] ?? 0) - mean) * plan.flatten;
      return Math.max(-5, Math.min(3, Math.log2(Math.max(value, 0.004)) - old)) * (factor.values[at] ?? 1);
    });
  const upscaled = (plane: Plane) => resized(plane, scenery.width, scenery.height);
  const washed =
    Math.min(0.75, colourfulnessOf(lit) * 1.3) * Math.min(1, levelFactors[order.level]) * (1 - look.colourless);
  const glow = widened(lit, side / 9);
  const misty = (plane: Plane) =>
    mapped(
      plane,
      (value, at) => Math.max(0, value - 0.9) * plan.haze * look.haze * (1.15 - 0.6 * (subject.values[at] ?? 0)) * 0.35,
    );
  return {
    ratio: { red: upscaled(stops(lit.red)), green: upscaled(stops(lit.green)), blue: upscaled(stops(lit.blue)) },
    wash: upscaled(
      mapped(subject, (body) => washed * (body * 0.2 + (1 - body) * (order.changesBackground ? 1 : 0.35))),
    ),
    haze: { red: upscaled(misty(glow.red)), green: upscaled(misty(glow.green)), blue: upscaled(misty(glow.blue)) },
  };
}

function fieldFrom(
  plan: LightPlan,
  logs: Plane,
  subject: Plane,
  source: Scenery | null,
  order: RelightOrder,
  look: Look,
): LightField {
  const relief = reliefOf(logs, subject);
  const balanced = {
    ...plan,
    lamps: plan.lamps.map((lamp) => ({ ...lamp, strength: lamp.strength * look.lamps })),
    ambient: [plan.ambient[0] * look.ambient, plan.ambient[1] * look.ambient, plan.ambient[2] * look.ambient] as const,
  };
  if (!source || !order.source) return exposed(lampField(balanced, relief, look.softness), plan.exposure);
  const given = pictureField(source, logs.width, logs.height, order.source);
  // A dark map makes a dark picture; how dark is limited, so that something stays visible.
  const mean = meanOf(luminanceOf(given));
  const field = exposed(given, Math.min(1.5, Math.max(0.3, 0.45 + mean * 1.5)));
  if (order.prompt.trim() === "") return field;
  const worded = exposed(lampField(balanced, relief, look.softness), plan.exposure);
  const both = (one: Plane, two: Plane) => mapped(one, (value, at) => value * 0.75 + (two.values[at] ?? 0) * 0.25);
  return {
    red: both(field.red, worded.red),
    green: both(field.green, worded.green),
    blue: both(field.blue, worded.blue),
  };
}

// What transfer_light_b and the look change about the light as a whole.
function arranged(field: LightField, order: RelightOrder, look: Look): LightField {
  const side = Math.max(field.red.width, field.red.height);
  const bent = curved(field, curveShapes[order.curve]);
  const wide = order.curve === "composition" ? widened(bent, side / 8) : bent;
  const shift = order.curve === "style_shift" ? -0.35 : order.curve === "strong_shift" ? -0.6 : 0;
  const toned = shift === 0 ? wide : decoloured(wide, shift);
  return look.colourless > 0 ? decoloured(toned, look.colourless) : toned;
}

function smaller({ red, green, blue }: Scenery, width: number, height: number): Scenery {
  const plane = (from: Plane) => resized(from, width, height);
  return { width, height, red: plane(red), green: plane(green), blue: plane(blue) };
}

// No two takes are alike unless requested.
function varied(plan: LightPlan, variation: string | null): LightPlan {
  if (variation === null) return plan;
  const random = randomFrom("lamps", variation);
  const lamps = plan.lamps.map((lamp) => ({
    ...lamp,
    x: lamp.x + random.between(-0.12, 0.12),
    y: lamp.y + random.between(-0.12, 0.12),
    strength: lamp.strength * random.between(0.94, 1.06),
  }));
  return { ...plan, lamps };
}
