// JPEG pictures with half as many rows of colour, and an odd number of rows. The colour of each row is taken from the two
// rows of colour beside it, each by its share of 4,096, and the result is handed back to be converted.
import { bounded, needTool, runTool } from "./ffmpeg.ts";

interface Stream {
  readonly width: number;
  readonly height: number;
}

// `raw`: the three planes of every frame, brightness in full. The answer: red, green and blue of every pixel.
export async function rowsOfColour(raw: Buffer, { width, height }: Stream): Promise<Buffer> {
  const [across, down] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const [light, colour] = [width * height, across * down];
  const frames = Math.floor(raw.length / (light + 2 * colour));
  const shares = sharesOf(down, height);
  const parts: Buffer[] = [];
  for (let frame = 0; frame < frames; frame++) {
    const start = frame * (light + 2 * colour);
    parts.push(raw.subarray(start, start + light));
    for (const plane of [0, 1]) {
      const from = start + light + plane * colour;
      parts.push(spreadRows(raw.subarray(from, from + colour), across, down, shares));
    }
  }
  async function* feed() {
    for (const part of parts) yield part;
  }
  const layout = ["-f", "rawvideo", "-pix_fmt", "yuvj422p", "-s", `${width}x${height}`, "-i", "pipe:0"];
  return runTool({
    path: needTool("ffmpeg", "Reading a picture or a video"),
    words: [...bounded, ...layout, "-vf", "scale=flags=bilinear,format=rgb24", "-f", "rawvideo", "pipe:1"],
    feeds: [feed()],
    failure: "The file is damaged: it could not be read.",
  });
}

interface Share {
  readonly row: number;
  readonly next: number;
}

// In steps of 2⁻¹⁷ of a row, as the converter counts.
const step = 131_072;

function sharesOf(from: number, to: number): Share[] {
  const increment = Math.floor((from * 65_536 + (to >> 1)) / to);
  return Array.from({ length: to }, (_, y) => {
    const position = increment * (2 * y + 1) - 65_536;
    const row = Math.floor(position / step);
    const rest = position - row * step;
    return { row, next: 4096 - Math.floor(((step - rest) * 4096 + step / 2) / step) };
  });
}

function spreadRows(plane: Buffer, width: number, rows: number, shares: readonly Share[]): Buffer {
  const out = Buffer.alloc(width * shares.length);
  const within = (row: number) => Math.min(Math.max(row, 0), rows - 1) * width;
  for (const [y, { row, next }] of shares.entries()) {
    const [one, two] = [within(row), within(row + 1)];
    for (let x = 0; x < width; x++) {
      const sum = (plane[one + x] ?? 0) * (4096 - next) + (plane[two + x] ?? 0) * next;
      out[y * width + x] = (sum + 2048) >> 12;
    }
  }
  return out;
}
