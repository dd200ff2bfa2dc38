// Latent files: eight bytes with the header's length, a JSON header, then the numbers. We read only what the application writes:
// one 32-bit tensor of three to five dimensions. The header and every offset are checked before anything is used.
import { NodeError } from "../execution/node-error.ts";
import { isRecord } from "../graph/graph.ts";
import type { Latent } from "../pictures/picture.ts";
import { countOf } from "../pictures/tensor.ts";

const headerBytesMax = 16 * 1024 ** 2;
// Files from before the version marker contain numbers scaled by this.
const oldScale = 0.18215;

export function writeLatent(latent: Latent, texts: ReadonlyMap<string, string>): Uint8Array {
  const { shape, data } = latent;
  const header = JSON.stringify({
    __metadata__: Object.fromEntries(texts),
    latent_tensor: { dtype: "F32", shape, data_offsets: [0, data.byteLength] },
    latent_format_version_0: { dtype: "F32", shape: [0], data_offsets: [data.byteLength, data.byteLength] },
  });
  const headerBytes = Buffer.from(
    header.padEnd(Math.ceil(Buffer.byteLength(header) / 8) * 8 - Buffer.byteLength(header) + header.length),
  );
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(headerBytes.length));
  return Buffer.concat([length, headerBytes, Buffer.from(data.buffer, data.byteOffset, data.byteLength)]);
}

export function readLatent(bytes: Uint8Array, floats: (count: number) => Float32Array): Latent {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = readHeader(buffer);
  const tensor = header["latent_tensor"];
  const shape = isRecord(tensor) ? tensor["shape"] : undefined;
  const offsets = isRecord(tensor) ? tensor["data_offsets"] : undefined;
  if (
    !isRecord(tensor) ||
    tensor["dtype"] !== "F32" ||
    !isCounts(shape) ||
    !isCounts(offsets) ||
    offsets.length !== 2 ||
    shape.length < 3 ||
    shape.length > 5
  )
    throw damaged();
  const [start = 0, end = 0] = offsets;
  const body = buffer.subarray(8 + Number(buffer.readBigUInt64LE(0)));
  const count = countOf(shape);
  if (end > body.length || end - start !== count * 4) throw damaged();
  const data = floats(count);
  const scale = "latent_format_version_0" in header ? 1 : 1 / oldScale;
  for (let at = 0; at < count; at++) data[at] = body.readFloatLE(start + at * 4) * scale;
  return { kind: "latent", shape, data };
}

function readHeader(buffer: Buffer): Readonly<Record<string, unknown>> {
  if (buffer.length < 8) throw damaged();
  const length = buffer.readBigUInt64LE(0);
  if (length > BigInt(Math.min(headerBytesMax, buffer.length - 8))) throw damaged();
  try {
    const header: unknown = JSON.parse(buffer.subarray(8, 8 + Number(length)).toString("utf8"));
    if (isRecord(header)) return header;
  } catch {
    // Reported below, like any other damage.
  }
  throw damaged();
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((each) => Number.isSafeInteger(each) && each >= 0);
}

function damaged(): NodeError {
  return new NodeError("The file is not a readable latent.");
}
