// Our own vector picture and 3D model, small and always valid: hills under a sun, and a pyramid in the colour of the seed.
import type { AskedPicture } from "./stand-in.ts";

export function drawVector({ width, height, prompt }: AskedPicture, seed: number): Uint8Array {
  const hue = seed % 360;
  const colour = (turn: number, light: number) => `hsl(${(hue + turn) % 360} 60% ${light}%)`;
  const [low, high] = [Math.round(height * 0.75), Math.round(height * 0.6)];
  const hills = `M0 ${low}Q${width >> 2} ${high} ${width >> 1} ${low}T${width} ${low}V${height}H0z`;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escaped(prompt)}</title>`,
    `<rect width="${width}" height="${height}" fill="${colour(0, 85)}"/>`,
    `<circle cx="${width >> 1}" cy="${height >> 2}" r="${Math.min(width, height) >> 3}" fill="${colour(40, 60)}"/>`,
    `<path d="${hills}" fill="${colour(120, 35)}"/>`,
    "</svg>",
  ];
  return Buffer.from(`${parts.join("\n")}\n`);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const corners = [
  [-1, 0, -1],
  [1, 0, -1],
  [1, 0, 1],
  [-1, 0, 1],
  [0, 1.5, 0],
];
const faces = [0, 1, 2, 0, 2, 3, 1, 0, 4, 2, 1, 4, 3, 2, 4, 0, 3, 4];

// A binary glTF: a header, the description as JSON, then corners and faces.
export function makeSolid(seed: number): Uint8Array {
  const points = Buffer.from(Float32Array.from(corners.flat()).buffer);
  const indices = Buffer.from(Uint16Array.from(faces).buffer);
  const shade = (shift: number) => ((seed >> shift) % 100) / 100;
  const description = {
    asset: { version: "2.0", generator: "atelier sandbox" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorFactor: [shade(0), shade(5), shade(9), 1] }, doubleSided: true }],
    buffers: [{ byteLength: points.length + indices.length }],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: points.length, target: 34962 },
      { buffer: 0, byteOffset: points.length, byteLength: indices.length, target: 34963 },
    ],
    accessors: [
      { bufferView: 0, componentType: 5126, count: corners.length, type: "VEC3", min: [-1, 0, -1], max: [1, 1.5, 1] },
      { bufferView: 1, componentType: 5123, count: faces.length, type: "SCALAR" },
    ],
  };
  const json = padded(Buffer.from(JSON.stringify(description)), 0x20);
  const binary = padded(Buffer.concat([points, indices]), 0);
  const total = 12 + 8 + json.length + 8 + binary.length;
  return Buffer.concat([
    Buffer.from("glTF"),
    wholes(2, total),
    wholes(json.length),
    Buffer.from("JSON"),
    json,
    wholes(binary.length),
    Buffer.from("BIN\0"),
    binary,
  ]);
}

function padded(bytes: Buffer, filler: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, filler)]);
}

function wholes(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, 4 * at);
  return bytes;
}
