// A skyline in rows from hazy to dark, with lit windows after dusk, above its reflection in a river.
import { add, type Canvas, fill, splat } from "../canvas.ts";
import { type Light, mix, scaled, smooth } from "../colour.ts";
import { speckle } from "../random.ts";
import type { Ground } from "./land.ts";
import type { Scene } from "./scene.ts";
import { paintReflection, paintSky } from "./sky.ts";

interface Building {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly roof: "flat" | "stepped" | "spire" | "slanted" | "dome";
  readonly salt: number;
}

export function paintCity(scene: Scene): Ground {
  const { canvas, random, palette } = scene;
  const bank = canvas.bottom * random.between(0.74, 0.8);
  const skyLight = paintSky(scene, {
    horizon: bank,
    cloudiness: random.between(0.2, 0.55),
    isGrand: random.chance(0.5),
  });
  const rows = 4;
  for (let row = 0; row < rows; row++) {
    const nearness = row / (rows - 1);
    const body = mix(
      mix(palette.lights.far, palette.lights.horizon, 0.45 * (1 - nearness)),
      palette.lights.near,
      0.12 + nearness * 0.8,
    );
    for (const building of buildingsOf(scene, nearness, bank)) paintBuilding(scene, building, body, nearness, bank);
  }
  paintReflection(scene, bank, { ripple: 0.03, tint: mix(palette.lights.near, palette.lights.top, 0.4) });
  return { line: new Float32Array(canvas.width).fill(bank), skyLight };
}

function buildingsOf({ canvas, random, noise }: Scene, nearness: number, bank: number): Building[] {
  const buildings: Building[] = [];
  const lane = nearness * 30;
  let left = -random.between(0, 0.06);
  while (left < canvas.right) {
    const wide = random.between(0.035, 0.085) * (0.75 + nearness * 0.5);
    const centre = left + wide / 2;
    const envelope = 0.55 + 0.75 * noise.fractal(centre * 1.9 + lane, lane, 2);
    const isTower = random.chance(0.14);
    const tall = Math.max(
      0.06,
      (0.46 - nearness * 0.24) * envelope * random.between(0.55, 1.15) * (isTower ? 1.45 : 1),
    );
    buildings.push({
      left,
      right: left + wide,
      top: bank - tall,
      salt: Math.floor(random.next() * 1e6),
      roof: random.pick(
        isTower ? ["spire", "stepped", "slanted"] : ["flat", "flat", "flat", "stepped", "slanted", "dome"],
      ),
    });
    left += wide * random.between(0.82, 1.12);
  }
  return buildings;
}

function paintBuilding(scene: Scene, building: Building, body: Light, nearness: number, bank: number): void {
  const { canvas, palette } = scene;
  const { left, right, top } = building;
  const wide = right - left;
  const lit = mix(body, palette.lights.light, 0.14);
  const fog = mix(palette.lights.horizon, palette.lights.far, 0.3);
  const surface = (x: number, y: number): Light => {
    const across = (x - left) / wide;
    const side = mix(across < 0.3 ? lit : body, fog, smooth(bank - 0.3, bank, y) * 0.5 * (1 - nearness));
    return scaled(side, 1 - 0.12 * smooth(0.3, 1, across));
  };
  const box = { left, right, top: top - wide * 1.4, bottom: bank + 2 / canvas.unit };
  fill(canvas, box, (x, y) => Math.max(left - x, x - right, roofTop(building, x) - y, y - bank - 0.01), surface);
  if (building.roof === "spire") paintMast(scene, building, body);
  paintWindows(scene, building, nearness, bank);
}

function roofTop({ left, right, top, roof }: Building, x: number): number {
  const wide = right - left;
  const across = (x - left) / wide;
  if (roof === "stepped") return across > 0.25 && across < 0.75 ? top - wide * 0.3 : top;
  if (roof === "slanted") return top - wide * 0.35 * across;
  if (roof === "dome") return top - wide * 0.4 * Math.sqrt(Math.max(0, 1 - (across * 2 - 1) ** 2));
  if (roof === "spire")
    return Math.abs(across - 0.5) < 0.3 ? top - wide * 0.45 * (1 - Math.abs(across - 0.5) / 0.3) : top;
  return top;
}

function paintMast({ canvas, palette }: Scene, { left, right, top }: Building, body: Light): void {
  const wide = right - left;
  const x = (left + right) / 2;
  const half = Math.max(0.0012, 0.6 / canvas.unit);
  const peak = top - wide * 1.3;
  fill(
    canvas,
    { left: x - half, right: x + half, top: peak, bottom: top },
    (px, py) => Math.max(Math.abs(px - x) - half, peak - py),
    body,
  );
  if (palette.darkness > 0.4) splat(canvas, x, peak, 0.003, [1, 0.12, 0.1], 1.4);
}

function paintWindows(scene: Scene, { left, right, top, salt }: Building, nearness: number, bank: number): void {
  const { canvas, palette, seconds } = scene;
  const glowing = Math.max(0.0, palette.darkness * 1.2 - 0.1);
  const pitchX = 0.0085 + 0.003 * nearness;
  const pitchY = pitchX * 1.35;
  if (pitchX * canvas.unit < 2) return;
  const share = glowing > 0.1 ? 0.42 : 0.22;
  for (let y = top + pitchY; y < bank - pitchY; y += pitchY) {
    for (let x = left + pitchX * 0.8; x < right - pitchX * 0.9; x += pitchX) {
      const column = Math.round(x / pitchX);
      const row = Math.round(y / pitchY);
      // A few lights go on and off during an animation.
      const draw = speckle(
        column,
        row + Math.floor(seconds * 0.7 + speckle(column, row, 9) * 12) * (speckle(row, column, 5) < 0.04 ? 31 : 0),
        salt,
      );
      if (draw > share) continue;
      const warm = mix(palette.lights.accent, palette.lights.light, speckle(row, column, salt));
      paintPane(
        canvas,
        x,
        y,
        pitchX * 0.5,
        pitchY * 0.5,
        warm,
        glowing > 0.1 ? (0.25 + 0.75 * nearness) * glowing * (0.5 + draw * 1.6) : 0.06,
      );
    }
  }
}

function paintPane(
  canvas: Canvas,
  x: number,
  y: number,
  wide: number,
  tall: number,
  light: Light,
  strength: number,
): void {
  const fromX = Math.max(0, Math.round(x * canvas.unit));
  const toX = Math.min(canvas.width, Math.max(fromX + 1, Math.round((x + wide) * canvas.unit)));
  const fromY = Math.max(0, Math.round(y * canvas.unit));
  const toY = Math.min(canvas.height, Math.max(fromY + 1, Math.round((y + tall) * canvas.unit)));
  for (let row = fromY; row < toY; row++)
    for (let column = fromX; column < toX; column++) add(canvas, (row * canvas.width + column) * 3, light, strength);
}
