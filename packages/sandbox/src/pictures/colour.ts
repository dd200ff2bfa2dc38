// Colours are chosen in OKLCH, where equal steps look equal, and painted as linear light, where mixing is right.

// Lightness 0–1, chroma 0–0.3, hue in degrees.
export type Tone = readonly [lightness: number, chroma: number, hue: number];
// Linear light; above 1 is brighter than paper and feeds the bloom.
export type Light = readonly [red: number, green: number, blue: number];

export function toLight([lightness, chroma, hue]: Tone): Light {
  const angle = (hue * Math.PI) / 180;
  const a = chroma * Math.cos(angle);
  const b = chroma * Math.sin(angle);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    Math.max(0, 4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    Math.max(0, -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    Math.max(0, -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ];
}

// Between two tones through a and b, not around the hue circle: dusk from orange to blue passes grey, not green.
export function between(from: Tone, to: Tone, share: number): Tone {
  const t = Math.min(1, Math.max(0, share));
  const radians = Math.PI / 180;
  const a = from[1] * Math.cos(from[2] * radians) * (1 - t) + to[1] * Math.cos(to[2] * radians) * t;
  const b = from[1] * Math.sin(from[2] * radians) * (1 - t) + to[1] * Math.sin(to[2] * radians) * t;
  return [from[0] + (to[0] - from[0]) * t, Math.hypot(a, b), (Math.atan2(b, a) / radians + 360) % 360];
}

export function mix(from: Light, to: Light, share: number): Light {
  return [
    from[0] + (to[0] - from[0]) * share,
    from[1] + (to[1] - from[1]) * share,
    from[2] + (to[2] - from[2]) * share,
  ];
}

export function scaled(light: Light, factor: number): Light {
  return [light[0] * factor, light[1] * factor, light[2] * factor];
}

export function smooth(low: number, high: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - low) / (high - low)));
  return t * t * (3 - 2 * t);
}

// Linear light in 4,096 steps as screen values from 0 to 255; square roots keep the dark steps fine.
export const screenSteps = 4096;
export const screenValue = Float32Array.from({ length: screenSteps + 1 }, (_, index) => {
  const linear = (index / screenSteps) ** 2;
  return 255 * (linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055);
});
