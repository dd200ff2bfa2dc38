// Independent measurements on RGB bytes. None of them knows how a picture was made.

interface Measured {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export type Part = "left" | "right" | "top" | "bottom" | "all";

// Mean brightness (0 to 255) of a half.
export function brightness({ width, height, pixels }: Measured, part: Part = "all"): number {
  let [sum, count] = [0, 0];
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      if (!isIn(part, column / width, row / height)) continue;
      const at = (row * width + column) * 3;
      sum += 0.2126 * (pixels[at] ?? 0) + 0.7152 * (pixels[at + 1] ?? 0) + 0.0722 * (pixels[at + 2] ?? 0);
      count += 1;
    }
  return sum / count;
}

function isIn(part: Part, x: number, y: number): boolean {
  if (part === "left") return x < 0.5;
  if (part === "right") return x >= 0.5;
  if (part === "top") return y < 0.5;
  return part === "bottom" ? y >= 0.5 : true;
}

// Mean of red minus blue: above 0 is warm.
export function warmth({ width, height, pixels }: Measured, part: Part = "all"): number {
  let [sum, count] = [0, 0];
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      if (!isIn(part, column / width, row / height)) continue;
      const at = (row * width + column) * 3;
      sum += (pixels[at] ?? 0) - (pixels[at + 2] ?? 0);
      count += 1;
    }
  return sum / count;
}

// Mean difference between the strongest and the weakest colour channel.
export function saturation({ pixels }: Measured): number {
  let sum = 0;
  for (let at = 0; at < pixels.length; at += 3) {
    const [red, green, blue] = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
    sum += Math.max(red, green, blue) - Math.min(red, green, blue);
  }
  return sum / (pixels.length / 3);
}

export function spread(picture: Measured): number {
  const mean = brightness(picture);
  let sum = 0;
  for (let at = 0; at < picture.pixels.length; at += 3) sum += (light(picture, at) - mean) ** 2;
  return Math.sqrt(sum / (picture.pixels.length / 3));
}

function light({ pixels }: Measured, at: number): number {
  return 0.2126 * (pixels[at] ?? 0) + 0.7152 * (pixels[at + 1] ?? 0) + 0.0722 * (pixels[at + 2] ?? 0);
}

// Pixel-to-pixel detail: the mean square of the Laplacian inside a box given as shares of the size.
export function fineEnergy(
  picture: Measured,
  box: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number } = {
    left: 0,
    top: 0,
    right: 1,
    bottom: 1,
  },
): number {
  const { width, height } = picture;
  let [sum, count] = [0, 0];
  for (let row = Math.max(1, Math.floor(box.top * height)); row < Math.min(height - 1, box.bottom * height); row++)
    for (
      let column = Math.max(1, Math.floor(box.left * width));
      column < Math.min(width - 1, box.right * width);
      column++
    ) {
      const at = (row * width + column) * 3;
      const around =
        light(picture, at - 3) +
        light(picture, at + 3) +
        light(picture, at - width * 3) +
        light(picture, at + width * 3);
      sum += (4 * light(picture, at) - around) ** 2;
      count += 1;
    }
  return sum / count;
}

// How steep edges are: the mean of the steepest fiftieth of the steps between neighbours in a row.
export function edgeContrast(picture: Measured): number {
  const steps: number[] = [];
  for (let at = 3; at < picture.pixels.length; at += 3)
    if ((at / 3) % picture.width !== 0) steps.push(Math.abs(light(picture, at) - light(picture, at - 3)));
  const steepest = steps.sort((a, b) => b - a).slice(0, Math.ceil(steps.length / 50));
  return steepest.reduce((sum, step) => sum + step, 0) / steepest.length;
}

export function meanDifference(one: Uint8Array, two: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += Math.abs((one[at] ?? 0) - (two[at] ?? 0));
  return sum / one.length;
}

export function mostDifference(one: Uint8Array, two: Uint8Array): number {
  let most = 0;
  for (let at = 0; at < one.length; at++) most = Math.max(most, Math.abs((one[at] ?? 0) - (two[at] ?? 0)));
  return most;
}
