// A geometric print: a grid of quarter circles, arcs, stripes and dots in a few flat inks on warm paper.
import { blend, eachPixel, fill } from "../canvas.ts";
import { type Light, mix, scaled, toLight } from "../colour.ts";
import type { Random } from "../random.ts";
import type { Scene } from "./scene.ts";

type Distance = (u: number, v: number) => number;

export function paintPoster(scene: Scene): null {
  const { canvas, random, noise, seconds } = scene;
  const paper = toLight([0.95, 0.022, 85]);
  eachPixel(canvas, { left: 0, top: 0, right: canvas.right, bottom: canvas.bottom }, (x, y, at) => {
    blend(canvas, at, scaled(paper, 1 + 0.035 * noise.fractal(x * 60, y * 60, 3)), 1);
  });
  const inks = inksOf(scene);
  const across = random.pick([3, 4, 5]);
  const margin = 0.07;
  const size = (Math.min(canvas.right, canvas.bottom) - margin * 2) / across;
  const columns = Math.max(1, Math.floor((canvas.right - margin * 2 + 0.001) / size));
  const rows = Math.max(1, Math.floor((canvas.bottom - margin * 2 + 0.001) / size));
  const left = (canvas.right - columns * size) / 2;
  const top = (canvas.bottom - rows * size) / 2;
  // Now and then one tile is as large as four.
  const big =
    across > 3 && random.chance(0.75)
      ? { column: Math.floor(random.next() * (columns - 1)), row: Math.floor(random.next() * (rows - 1)) }
      : null;
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const inBig = big && column >= big.column && column <= big.column + 1 && row >= big.row && row <= big.row + 1;
      const isFirst = big && column === big.column && row === big.row;
      if (inBig && !isFirst) continue;
      const span = isFirst ? 2 : 1;
      paintTile(scene, { x: left + column * size, y: top + row * size, size: size * span }, inks, seconds);
    }
  return null;
}

function inksOf({ palette, random }: Scene): readonly [Light, ...Light[]] {
  const hue = palette.middle[2];
  const other = (hue + random.pick([150, 180, 210])) % 360;
  return [
    toLight([0.62, 0.17, palette.accent[2]]),
    toLight([0.36, 0.1, hue]),
    toLight([0.74, 0.12, other]),
    toLight([0.22, 0.035, hue]),
    toLight([0.86, 0.1, 88]),
    toLight([0.66, 0.1, (hue + 30) % 360]),
  ];
}

interface Tile {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

function paintTile(
  { canvas, random, noise }: Scene,
  { x, y, size }: Tile,
  inks: readonly [Light, ...Light[]],
  seconds: number,
): void {
  const ground = random.pick(inks);
  let ink = random.pick(inks);
  while (ink === ground) ink = random.pick(inks);
  const hasGround = random.chance(0.72);
  const turn = Math.floor(random.next() * 4) + Math.floor(seconds * 0.5 + random.next() * 4) * (seconds > 0 ? 1 : 0);
  const shapes = shapesOf(random);
  const box = { left: x, top: y, right: x + size, bottom: y + size };
  const square: Distance = (px, py) => Math.max(x - px, px - x - size, y - py, py - y - size);
  const inked = (light: Light) => (px: number, py: number) =>
    scaled(light, 1 + 0.05 * noise.fractal(px * 90, py * 90, 2));
  if (hasGround) fill(canvas, box, square, inked(ground));
  const within =
    (shape: Distance): Distance =>
    (px, py) => {
      let u = (px - x) / size;
      let v = (py - y) / size;
      for (let quarter = 0; quarter < turn % 4; quarter++) [u, v] = [v, 1 - u];
      return Math.max(shape(u, v) * size, square(px, py));
    };
  for (const [index, shape] of shapes.entries())
    fill(canvas, box, within(shape), inked(index === 0 ? ink : mix(ink, ground, 1)));
}

// Each list is painted in turn: first in the ink, then in the background colour.
function shapesOf(random: Random): Distance[] {
  const disc =
    (cu: number, cv: number, radius: number): Distance =>
    (u, v) =>
      Math.hypot(u - cu, v - cv) - radius;
  const rings =
    (count: number): Distance =>
    (u, v) => {
      const position = Math.hypot(u, v) * count;
      return (Math.abs(position - Math.floor(position) - 0.5) - 0.25) / count + Math.max(0, Math.hypot(u, v) - 1);
    };
  const stripes =
    (count: number): Distance =>
    (u) =>
      (Math.abs(u * count - Math.floor(u * count) - 0.5) - 0.25) / count;
  const dots =
    (count: number): Distance =>
    (u, v) =>
      Math.hypot(u * count - Math.floor(u * count) - 0.5, v * count - Math.floor(v * count) - 0.5) / count -
      0.27 / count;
  const leaf: Distance = (u, v) => Math.max(Math.hypot(u, v) - 1, Math.hypot(u - 1, v - 1) - 1);
  return random.pick<Distance[]>([
    [disc(0, 0, 1)],
    [disc(0, 0, 1), disc(0, 0, 0.5)],
    [disc(0.5, 0.5, 0.42)],
    [disc(0.5, 0.5, 0.42), disc(0.5, 0.5, 0.2)],
    [disc(0, 0.5, 0.5), disc(0, 0.5, 0.22)],
    [(u, v) => (u + v - 1) * Math.SQRT1_2],
    [leaf],
    [leaf, disc(0.5, 0.5, 0.13)],
    [rings(4)],
    [stripes(5)],
    [dots(4)],
    [(_u, v) => v - 0.5, disc(0.5, 0.5, 0.25)],
    [(u, v) => Math.max(disc(0.5, 1, 0.5)(u, v), -v)],
  ]);
}
