// A studio portrait without a sitter: a lit head with hair, eyes, lips, blemishes and pores in front of a grey backdrop.
// Drawn by formulas, so that tests have a face to work on without using a person's photograph.
import { noiseFrom } from "../../src/pictures/noise.ts";
import { randomFrom, speckle } from "../../src/pictures/random.ts";

type Colour = readonly [number, number, number];

const mix = (from: Colour, to: Colour, share: number): Colour => {
  const t = Math.min(1, Math.max(0, share));
  return [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t, from[2] + (to[2] - from[2]) * t];
};
const soft = (low: number, high: number, value: number) => {
  const t = Math.min(1, Math.max(0, (value - low) / (high - low)));
  return t * t * (3 - 2 * t);
};
const oval = (x: number, y: number, cx: number, cy: number, rx: number, ry: number) =>
  Math.hypot((x - cx) / rx, (y - cy) / ry);

export function portrait(width: number, height: number): Uint8Array<ArrayBuffer> {
  const noise = noiseFrom(randomFrom("portrait"));
  const pixels = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const x = ((column + 0.5) / width - 0.5) * (width / height);
      const y = (row + 0.5) / height - 0.5;
      const colour = colourAt(x, y, noise, speckle(column, row, 7));
      for (let channel = 0; channel < 3; channel++)
        pixels[(row * width + column) * 3 + channel] = Math.round(
          Math.min(1, Math.max(0, colour[channel] ?? 0)) ** (1 / 2.2) * 255,
        );
    }
  return pixels;
}

function colourAt(x: number, y: number, noise: ReturnType<typeof noiseFrom>, grain: number): Colour {
  const edge = 0.006;
  let colour: Colour = mix(
    [0.2, 0.21, 0.22],
    [0.09, 0.09, 0.1],
    Math.hypot(x, y) * 1.3 + noise.at(x * 4, y * 4) * 0.05,
  );
  const hairBack = oval(x, y, 0, -0.08, 0.27, 0.34);
  colour = mix(colour, hairAt(x, y, noise), soft(1 + edge * 4, 1 - edge * 4, hairBack));
  const shoulders = oval(x, y, 0, 0.62, 0.5, 0.3);
  const cloth = 0.55 + 0.45 * noise.fractal(x * 3, y * 9, 3) - Math.abs(x) * 0.5;
  colour = mix(
    colour,
    [0.05 * cloth + 0.02, 0.1 * cloth + 0.03, 0.2 * cloth + 0.05],
    soft(1 + edge * 2, 1 - edge * 2, shoulders),
  );
  const neck = Math.max(Math.abs(x) / 0.115, oval(x, y, 0, 0.2, 0.2, 0.2));
  colour = mix(colour, skin(x, y, noise, 0.5 - Math.abs(x) * 2, grain), soft(1.06, 0.96, neck));
  const face = oval(x, y, 0, -0.02 + x * x * 0.2, 0.205, 0.275);
  colour = mix(colour, faceAt(x, y, face, noise, grain), soft(1 + edge * 4, 1 - edge * 4, face));
  const fringe = y + 0.2 + noise.at(x * 9, 2) * 0.014 - x * x * 1.2 + x * 0.12;
  return mix(
    colour,
    hairAt(x, y, noise),
    soft(0.012, -0.012, fringe) * soft(1.04, 0.98, oval(x, y, 0, -0.06, 0.26, 0.33)),
  );
}

function hairAt(x: number, y: number, noise: ReturnType<typeof noiseFrom>): Colour {
  const strand = noise.fractal(x * 60 + Math.sin(y * 9), y * 5, 2) * 0.5 + 0.5;
  const gloss = Math.exp(-(((y + 0.27 + x * x) / 0.05) ** 2)) * 0.6;
  const level = 0.3 + strand * 0.6 + gloss * strand;
  return [0.09 * level, 0.048 * level, 0.028 * level];
}

function skin(x: number, y: number, noise: ReturnType<typeof noiseFrom>, lit: number, grain: number): Colour {
  const blotch = noise.fractal(x * 22, y * 22, 3);
  const spot = soft(0.62, 0.8, noise.at(x * 34 + 9, y * 34)) * 0.8;
  const pore = noise.at(x * 190, y * 190) * 0.05 + (grain - 0.5) * 0.05;
  const level = (0.16 + 0.62 * Math.max(0, lit)) * (1 + blotch * 0.09 + pore - spot * 0.22);
  return [
    level * (1 + spot * 0.15),
    level * (0.56 - blotch * 0.05 - spot * 0.1),
    level * (0.42 - blotch * 0.04 - spot * 0.1),
  ];
}

function faceAt(x: number, y: number, face: number, noise: ReturnType<typeof noiseFrom>, grain: number): Colour {
  const depth = Math.sqrt(Math.max(0, 1 - Math.min(1, face) ** 2));
  const nose = Math.exp(-((x / 0.028) ** 2)) * soft(-0.1, 0.07, y) * soft(0.1, 0.075, y);
  const socket = Math.exp(-(((Math.abs(x) - 0.085) / 0.05) ** 2) - ((y + 0.055) / 0.035) ** 2);
  const cheek = Math.exp(-(((Math.abs(x) - 0.1) / 0.05) ** 2) - ((y - 0.05) / 0.05) ** 2);
  const lit = depth * 0.95 - 0.12 + nose * 0.12 - socket * 0.24 + cheek * 0.08 - (x * 0.25 + y * 0.25);
  const underNose = Math.exp(-((x / 0.035) ** 2) - ((y - 0.098) / 0.012) ** 2);
  let colour = skin(x, y, noise, lit * (1 - underNose * 0.45), grain);
  colour = mix(colour, [colour[0] * 1.05, colour[1] * 0.82, colour[2] * 0.82], cheek * 0.7);
  for (const side of [-1, 1]) {
    const brow =
      Math.abs(y + 0.115 + Math.abs(x - side * 0.09) ** 2 * 3) / 0.011 +
      Math.max(0, Math.abs(x - side * 0.088) - 0.042) * 60;
    colour = mix(colour, hairAt(x, y, noise), soft(1.3, 0.6, brow) * 0.85);
    const eye = oval(x, y, side * 0.085, -0.06, 0.038, 0.0165);
    colour = mix(colour, [0.62, 0.58, 0.55], soft(1.1, 0.9, eye));
    const iris = oval(x, y, side * 0.085, -0.061, 0.0165, 0.0165);
    colour = mix(colour, [0.05, 0.11, 0.12], soft(1.08, 0.92, iris) * soft(1.1, 0.95, eye));
    colour = mix(colour, [0.005, 0.005, 0.006], soft(0.52, 0.42, iris));
    colour = mix(colour, [0.95, 0.95, 0.95], soft(1.2, 0.7, oval(x, y, side * 0.085 - 0.006, -0.067, 0.004, 0.004)));
    const lid = Math.abs(oval(x, y, side * 0.085, -0.058, 0.042, 0.02) - 1) * (y < -0.058 ? 1 : 3);
    colour = mix(colour, [0.03, 0.015, 0.012], soft(0.16, 0.04, lid) * 0.8);
  }
  const bow = 0.148 + Math.cos(x * 55) * 0.004;
  const lips = Math.max(
    Math.abs(x) / 0.066,
    Math.abs(y - 0.153) / (0.024 * Math.sqrt(Math.max(0.02, 1 - (x / 0.07) ** 2))),
  );
  const lipColour: Colour = [0.42, 0.1, 0.11];
  colour = mix(
    colour,
    [lipColour[0] * (0.5 + lit), lipColour[1] * (0.5 + lit), lipColour[2] * (0.5 + lit)],
    soft(1.1, 0.85, lips),
  );
  return mix(colour, [0.08, 0.02, 0.02], soft(0.0045, 0.001, Math.abs(y - bow - 0.003)) * soft(1.05, 0.9, lips) * 0.8);
}
