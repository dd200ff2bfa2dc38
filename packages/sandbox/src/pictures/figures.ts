// Small silhouettes that give a scene its subject. Shapes are signed distances in a local frame: the foot is at 0,0,
// y points up, and the figure is one high.
import { blend, type Canvas, eachPixel, fill, splat } from "./canvas.ts";
import { type Light, mix, scaled } from "./colour.ts";
import type { Figure } from "./read-prompt.ts";
import type { Ground } from "./scenes/land.ts";
import type { Scene } from "./scenes/scene.ts";

type Shape = (x: number, y: number) => number;

const disc =
  (cx: number, cy: number, r: number): Shape =>
  (x, y) =>
    Math.hypot(x - cx, y - cy) - r;
const oval =
  (cx: number, cy: number, rx: number, ry: number): Shape =>
  (x, y) =>
    (Math.hypot((x - cx) / rx, (y - cy) / ry) - 1) * Math.min(rx, ry);
const rectangle =
  (left: number, bottom: number, right: number, top: number): Shape =>
  (x, y) =>
    Math.max(left - x, x - right, bottom - y, y - top);
const union =
  (...shapes: readonly Shape[]): Shape =>
  (x, y) =>
    shapes.reduce((least, shape) => Math.min(least, shape(x, y)), 9);

function capsule(x1: number, y1: number, x2: number, y2: number, radius: number, endRadius = radius): Shape {
  const dx = x2 - x1;
  const dy = y2 - y1;
  const square = dx * dx + dy * dy;
  return (x, y) => {
    const t = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / square));
    return Math.hypot(x - x1 - dx * t, y - y1 - dy * t) - (radius + (endRadius - radius) * t);
  };
}

// Corners in either direction; convex.
function polygon(...corners: readonly (readonly [number, number])[]): Shape {
  const area = corners.reduce((sum, [x, y], index) => {
    const [nx, ny] = corners[(index + 1) % corners.length] ?? [0, 0];
    return sum + x * ny - nx * y;
  }, 0);
  const sign = area > 0 ? 1 : -1;
  const edges = corners.map(([x, y], index) => {
    const [nx, ny] = corners[(index + 1) % corners.length] ?? [0, 0];
    const length = Math.hypot(nx - x, ny - y);
    return { x, y, a: (sign * (ny - y)) / length, b: (-sign * (nx - x)) / length };
  });
  return (px, py) => edges.reduce((most, { x, y, a, b }) => Math.max(most, (px - x) * a + (py - y) * b), -9);
}

const cat = union(
  oval(0, 0.25, 0.21, 0.27),
  oval(0.02, 0.45, 0.15, 0.2),
  disc(0, 0.72, 0.155),
  polygon([-0.15, 0.76], [-0.125, 1], [-0.01, 0.84]),
  polygon([0.15, 0.76], [0.125, 1], [0.01, 0.84]),
  capsule(0.14, 0.06, 0.36, 0.1, 0.05),
  capsule(0.36, 0.1, 0.42, 0.34, 0.048, 0.04),
  capsule(0.42, 0.34, 0.34, 0.46, 0.04, 0.03),
);
const fox = union(
  oval(-0.02, 0.27, 0.17, 0.28),
  oval(0.02, 0.5, 0.13, 0.17),
  oval(0.05, 0.72, 0.14, 0.12),
  capsule(0.1, 0.7, 0.24, 0.66, 0.06, 0.02),
  polygon([-0.07, 0.76], [-0.05, 1], [0.04, 0.82]),
  polygon([0.06, 0.78], [0.12, 1], [0.16, 0.78]),
  capsule(-0.1, 0.07, -0.36, 0.14, 0.07, 0.1),
  capsule(-0.36, 0.14, -0.52, 0.3, 0.1, 0.02),
  capsule(0.1, 0.3, 0.13, 0.02, 0.05, 0.04),
);
const person = union(
  disc(0, 0.91, 0.075),
  capsule(0, 0.79, 0, 0.5, 0.085, 0.1),
  polygon([-0.1, 0.6], [0.1, 0.6], [0.15, 0.36], [-0.15, 0.36]),
  capsule(-0.05, 0.4, -0.07, 0.03, 0.05, 0.035),
  capsule(0.05, 0.4, 0.08, 0.03, 0.05, 0.035),
  capsule(-0.09, 0.77, -0.15, 0.48, 0.035, 0.028),
  capsule(0.09, 0.77, 0.2, 0.55, 0.035, 0.025),
  capsule(0.22, 0.72, 0.2, 0.02, 0.01),
);
const hull = polygon([-0.42, 0.2], [0.5, 0.22], [0.34, 0], [-0.3, 0]);
const sail = union(polygon([0.04, 0.27], [0.04, 1], [0.42, 0.3]), polygon([-0.02, 0.27], [-0.02, 0.9], [-0.3, 0.3]));
const castle = union(
  rectangle(-0.42, 0, 0.42, 0.42),
  rectangle(-0.5, 0, -0.3, 0.62),
  rectangle(0.3, 0, 0.5, 0.62),
  rectangle(-0.12, 0, 0.12, 0.74),
  polygon([-0.53, 0.62], [-0.4, 0.86], [-0.27, 0.62]),
  polygon([0.27, 0.62], [0.4, 0.86], [0.53, 0.62]),
  polygon([-0.15, 0.74], [0, 1], [0.15, 0.74]),
);
const crown = union(
  disc(0, 0.72, 0.25),
  disc(-0.22, 0.6, 0.19),
  disc(0.23, 0.62, 0.2),
  disc(-0.1, 0.83, 0.17),
  disc(0.12, 0.84, 0.16),
  disc(0.02, 0.54, 0.2),
);
const trunk = union(
  capsule(0, 0, 0, 0.5, 0.055, 0.035),
  capsule(0, 0.36, -0.18, 0.56, 0.025, 0.015),
  capsule(0, 0.4, 0.19, 0.58, 0.025, 0.015),
);

const envelope = union(disc(0, 0.66, 0.34), polygon([-0.28, 0.48], [0.28, 0.48], [0.07, 0.18], [-0.07, 0.18]));
const basket = union(
  rectangle(-0.05, 0.02, 0.05, 0.1),
  capsule(-0.05, 0.1, -0.06, 0.2, 0.004),
  capsule(0.05, 0.1, 0.06, 0.2, 0.004),
);

interface Position {
  readonly x: number;
  readonly y: number;
  readonly tall: number;
}

export function paintFigures(scene: Scene, ground: Ground): void {
  const { canvas, random, palette, reading } = scene;
  const dark = scaled(palette.lights.near, 0.5);
  for (const [index, figure] of reading.figures.slice(0, 3).entries()) {
    const aside = ground.skyLight.x / canvas.right;
    // Near the light, where a silhouette reads best; further figures step aside.
    const share = Math.min(
      0.84,
      Math.max(
        0.16,
        aside + (index === 0 ? random.between(-0.1, 0.1) : random.between(0.2, 0.4) * (aside > 0.5 ? -1 : 1)),
      ),
    );
    const x = share * canvas.right;
    const foot = (ground.line[Math.min(canvas.width - 1, Math.round(x * canvas.unit))] ?? canvas.bottom) + 0.012;
    painters[figure](scene, { x, y: Math.min(foot, canvas.bottom * 0.97), tall: 0.2 }, dark, ground);
  }
}

type FigurePainter = (scene: Scene, position: Position, dark: Light, ground: Ground) => void;

const painters: Readonly<Record<Figure, FigurePainter>> = {
  cat: ({ canvas }, position, dark) => paintShape(canvas, { ...position, tall: 0.3 }, cat, dark),
  fox: ({ canvas, palette }, position, dark) =>
    paintShape(canvas, { ...position, tall: 0.27 }, fox, mix(dark, palette.lights.accent, 0.3)),
  person: ({ canvas }, position, dark) => paintShape(canvas, { ...position, tall: 0.24 }, person, dark),
  castle: (scene, position, dark) => paintCastle(scene, { ...position, tall: 0.3 }, dark),
  lighthouse: (scene, position, dark) => paintLighthouse(scene, { ...position, tall: 0.42 }, dark),
  cabin: (scene, position, dark) => paintCabin(scene, { ...position, tall: 0.15 }, dark),
  balloon: paintBalloons,
  birds: (scene, _position, _dark, ground) => paintBirds(scene, ground),
  tree: ({ canvas, palette }, position, dark) => {
    const lit = mix(dark, palette.lights.light, 0.22);
    const whole = { ...position, tall: 0.34 };
    paintShape(canvas, whole, trunk, dark);
    paintShape(canvas, whole, crown, rising(whole, mix(dark, palette.lights.accent, 0.25), lit));
  },
  boat: ({ canvas, palette, seconds }, position, dark, { skyLight }) => {
    const water = Math.min(canvas.bottom * 0.8, skyLight.y + canvas.bottom * 0.38);
    const afloat = { x: position.x + seconds * 0.012, y: water + Math.sin(seconds * 1.6) * 0.004, tall: 0.2 };
    paintShape(canvas, afloat, sail, mix(palette.lights.horizon, palette.lights.light, 0.4));
    paintShape(canvas, afloat, hull, dark);
  },
};

type Surface = Light | ((x: number, y: number) => Light);

function paintShape(canvas: Canvas, { x, y, tall }: Position, shape: Shape, surface: Surface): void {
  const box = { left: x - tall * 0.75, right: x + tall * 0.75, top: y - tall * 1.08, bottom: y + tall * 0.05 };
  fill(canvas, box, (px, py) => shape((px - x) / tall, (y - py) / tall) * tall, surface);
}

// Lit from above.
function rising({ y, tall }: Position, light: Light, upper: Light): Surface {
  return (_x, py) => mix(light, upper, Math.max(0, (y - py) / tall - 0.4));
}

function paintCastle({ canvas, palette }: Scene, position: Position, dark: Light): void {
  paintShape(canvas, position, castle, rising(position, dark, mix(dark, palette.lights.horizon, 0.12)));
  for (const [u, v] of [
    [-0.4, 0.5],
    [0.4, 0.5],
    [0, 0.6],
    [-0.2, 0.28],
    [0.2, 0.28],
  ] as const)
    splat(canvas, position.x + u * position.tall, position.y - v * position.tall, 0.006, palette.lights.accent, 1.1);
}

function paintCabin({ canvas, palette }: Scene, position: Position, dark: Light): void {
  const { x, y, tall } = position;
  paintShape(
    canvas,
    position,
    union(rectangle(-0.4, 0, 0.4, 0.5), rectangle(0.16, 0.5, 0.26, 0.95)),
    mix(dark, palette.lights.accent, 0.14),
  );
  paintShape(canvas, position, polygon([-0.55, 0.44], [0, 0.95], [0.55, 0.44]), scaled(dark, 0.7));
  for (const u of [-0.2, 0.2]) {
    fill(
      canvas,
      { left: x + (u - 0.08) * tall, right: x + (u + 0.08) * tall, top: y - 0.34 * tall, bottom: y - 0.16 * tall },
      (px, py) => Math.max(Math.abs(px - x - u * tall) - 0.08 * tall, Math.abs(py - y + 0.25 * tall) - 0.09 * tall),
      [1.5, 0.95, 0.35],
    );
    splat(canvas, x + u * tall, y - 0.25 * tall, 0.03, [1, 0.6, 0.2], 0.22);
  }
}

function paintLighthouse({ canvas, palette, seconds }: Scene, position: Position, dark: Light): void {
  const { x, y, tall } = position;
  paintShape(
    canvas,
    { ...position, y: y + 0.03, tall: tall * 0.7 },
    union(oval(0, 0, 0.5, 0.1), oval(-0.15, 0.03, 0.25, 0.1), oval(0.2, 0.02, 0.2, 0.07)),
    dark,
  );
  const lampY = y - 0.87 * tall;
  const turn = seconds * 0.6;
  for (const side of [1, -1]) {
    eachPixel(canvas, { left: 0, right: canvas.right, top: lampY - 0.35, bottom: lampY + 0.35 }, (px, py, offset) => {
      const along = (px - x) * side * Math.cos(turn);
      if (along <= 0.01) return;
      const across = Math.abs(py - lampY + along * 0.1) / (0.012 + along * 0.16);
      if (across < 1) blend(canvas, offset, palette.lights.light, (1 - across) ** 1.5 * 0.5 * Math.exp(-along * 1.5));
    });
  }
  const tower = polygon([-0.11, 0], [0.11, 0], [0.07, 0.8], [-0.07, 0.8]);
  const white = mix(palette.lights.horizon, palette.lights.light, 0.5);
  const red = mix(palette.lights.accent, dark, 0.15);
  paintShape(canvas, position, tower, (px, py) => {
    const stripe = Math.floor(((y - py) / tall) * 6) % 2 === 0 ? white : red;
    return scaled(stripe, 0.75 - 0.45 * Math.max(0, (px - x) / (0.11 * tall)));
  });
  paintShape(
    canvas,
    position,
    union(rectangle(-0.1, 0.79, 0.1, 0.82), polygon([-0.08, 0.93], [0.08, 0.93], [0, 1.02])),
    dark,
  );
  paintShape(canvas, position, rectangle(-0.05, 0.82, 0.05, 0.93), [1.6, 1.3, 0.7]);
  splat(canvas, x, lampY, 0.035, [1, 0.8, 0.4], 0.8);
}

function paintBalloons({ canvas, random, palette, seconds }: Scene): void {
  const count = random.pick([3, 4, 5]);
  for (let index = 0; index < count; index++) {
    const tall = index === 0 ? 0.26 : random.between(0.05, 0.13);
    const x = canvas.right * (index === 0 ? random.between(0.35, 0.65) : random.between(0.08, 0.92));
    const y =
      canvas.bottom * (index === 0 ? random.between(0.46, 0.56) : random.between(0.16, 0.46)) -
      seconds * 0.01 +
      Math.sin(seconds + index) * 0.004;
    const first = mix(palette.lights.accent, palette.lights.horizon, 0.1);
    const second = mix(palette.lights.light, palette.lights.horizon, 0.3);
    const position = { x, y, tall };
    paintShape(canvas, position, envelope, (px, py) => {
      const up = (y - py) / tall;
      const bulge = Math.max(0.08, Math.sqrt(Math.max(0, 0.36 ** 2 - (up - 0.64) ** 2 * (up < 0.64 ? 0.55 : 1))));
      const around = Math.asin(Math.max(-1, Math.min(1, (px - x) / tall / bulge)));
      return scaled(Math.floor(around * 2.9 + 20.5) % 2 === 0 ? first : second, 0.85 - 0.35 * Math.sin(around));
    });
    paintShape(canvas, position, basket, scaled(palette.lights.near, 0.7));
  }
}

function paintBirds({ canvas, random, palette, seconds }: Scene, { skyLight }: Ground): void {
  const count = 7 + Math.floor(random.next() * 8);
  const dark = mix(palette.lights.near, palette.lights.far, 0.2);
  for (let index = 0; index < count; index++) {
    const x = skyLight.x + random.between(-0.34, 0.34) + seconds * 0.02;
    const y = Math.max(0.05, skyLight.y + random.between(-0.16, 0.16));
    const size = random.between(0.014, 0.034);
    const lift = 0.35 + 0.35 * Math.sin(seconds * 7 + index * 1.9 + random.next() * 3);
    const wings = union(
      capsule(0, 0, -0.5, lift, 0.05),
      capsule(-0.5, lift, -1, lift * 0.55, 0.05, 0.01),
      capsule(0, 0, 0.5, lift, 0.05),
      capsule(0.5, lift, 1, lift * 0.55, 0.05, 0.01),
    );
    fill(
      canvas,
      { left: x - size * 1.2, right: x + size * 1.2, top: y - size, bottom: y + size * 0.4 },
      (px, py) => wings((px - x) / size, (y - py) / size) * size,
      dark,
    );
  }
}
