// Draws a picture as sixels: strips of six rows, one pass per colour, run-length encoded. 216 colours are enough to recognise
// it.
import type { Pixels } from "./png-pixels.ts";

const levels = 6;
const widthMax = 480;
const heightMax = 320;

export function sixelText(pixels: Pixels): string {
  const scale = Math.min(1, widthMax / pixels.width, heightMax / pixels.height);
  const width = Math.max(1, Math.floor(pixels.width * scale));
  const height = Math.max(1, Math.floor(pixels.height * scale));
  const colours = coloursOf(pixels, width, height);
  const used = [...new Set(colours)].sort((a, b) => a - b);
  const strips: string[] = [];
  for (let top = 0; top < height; top += 6) strips.push(stripText(colours, { top, width, height }));
  return `\u001bPq"1;1;${width};${height}${used.map(defined).join("")}${strips.join("-")}\u001b\\`;
}

function coloursOf({ rgb, width: fullWidth, height: fullHeight }: Pixels, width: number, height: number): Uint8Array {
  const colours = new Uint8Array(width * height);
  const level = (value: number | undefined) => Math.round(((value ?? 0) / 255) * (levels - 1));
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * fullHeight) / height) * fullWidth;
    for (let x = 0; x < width; x++) {
      const at = (row + Math.floor((x * fullWidth) / width)) * 3;
      colours[y * width + x] = (level(rgb[at]) * levels + level(rgb[at + 1])) * levels + level(rgb[at + 2]);
    }
  }
  return colours;
}

// Red, green and blue in percent.
function defined(colour: number): string {
  const parts = [Math.floor(colour / levels ** 2), Math.floor(colour / levels) % levels, colour % levels];
  return `#${colour};2;${parts.map((part) => (part * 100) / (levels - 1)).join(";")}`;
}

function stripText(colours: Uint8Array, strip: { top: number; width: number; height: number }): string {
  const { top, width, height } = strip;
  const rows = Math.min(6, height - top);
  const bits = new Map<number, Uint8Array>();
  for (let row = 0; row < rows; row++) {
    for (let x = 0; x < width; x++) {
      const colour = colours[(top + row) * width + x] ?? 0;
      const own = bits.get(colour) ?? new Uint8Array(width);
      own[x] = (own[x] ?? 0) | (1 << row);
      bits.set(colour, own);
    }
  }
  return [...bits].map(([colour, own]) => `#${colour}${runs(own)}`).join("$");
}

function runs(own: Uint8Array): string {
  let text = "";
  for (let at = 0; at < own.length; ) {
    let end = at + 1;
    while (end < own.length && own[end] === own[at]) end++;
    const sign = String.fromCharCode(63 + (own[at] ?? 0));
    text += end - at > 3 ? `!${end - at}${sign}` : sign.repeat(end - at);
    at = end;
  }
  return text;
}
