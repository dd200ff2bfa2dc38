// Checks that bytes are a safetensors file: a length, a table of tensors as JSON, and then exactly the bytes the table
// describes. Nothing in such a file is ever executed, which is why it is the only model format we accept. So a file that
// only has the extension must not pass.
import { Fault } from "../../foundation/fault.ts";
import { jsonOrUndefined } from "../../foundation/json/foreign-json.ts";
import { attempt } from "../../foundation/retry.ts";

const lengthBytes = 8;
// The limit of the format's own readers.
const headerBytesMax = 100_000_000;

const bitsOf: ReadonlyMap<string, number> = new Map([
  ["BOOL", 8],
  ["U8", 8],
  ["I8", 8],
  ["F8_E4M3", 8],
  ["F8_E5M2", 8],
  ["F8_E8M0", 8],
  ["U16", 16],
  ["I16", 16],
  ["F16", 16],
  ["BF16", 16],
  ["U32", 32],
  ["I32", 32],
  ["F32", 32],
  ["C64", 64],
  ["U64", 64],
  ["I64", 64],
  ["F64", 64],
  ["F4", 4],
  ["F6_E2M3", 6],
  ["F6_E3M2", 6],
]);

// Passes the bytes through and throws validation_failed as soon as they cannot be such a file; at the latest before the
// last byte is passed on, so the writer commits nothing.
export async function* checkedSafetensors(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const head = new HeaderBytes();
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    head.take(chunk);
    yield chunk;
  }
  const { dataBytes, headerBytes } = head.finish();
  if (size !== lengthBytes + headerBytes + dataBytes) throw noModel("its size does not match its table of tensors");
}

class HeaderBytes {
  readonly #parts: Buffer[] = [];
  #held = 0;
  #headerBytes: number | null = null;
  #dataBytes: number | null = null;

  take(chunk: Uint8Array): void {
    if (this.#dataBytes !== null) return;
    // Copied, because the producer may reuse the chunk's memory.
    const wanted = lengthBytes + (this.#headerBytes ?? 0) - this.#held;
    const part = Buffer.from(this.#headerBytes === null ? chunk : chunk.subarray(0, wanted));
    this.#parts.push(part);
    this.#held += part.byteLength;
    if (this.#headerBytes === null && this.#held >= lengthBytes) this.#headerBytes = readLength(this.#whole());
    if (this.#headerBytes === null || this.#held < lengthBytes + this.#headerBytes) return;
    this.#dataBytes = dataBytesOf(this.#whole().subarray(lengthBytes, lengthBytes + this.#headerBytes));
    this.#parts.length = 0;
  }

  finish(): { readonly headerBytes: number; readonly dataBytes: number } {
    if (this.#headerBytes === null || this.#dataBytes === null) throw noModel("it ends inside its header");
    return { headerBytes: this.#headerBytes, dataBytes: this.#dataBytes };
  }

  #whole(): Buffer {
    const whole = Buffer.concat(this.#parts);
    this.#parts.splice(0, this.#parts.length, whole);
    return whole;
  }
}

function readLength(head: Buffer): number {
  const length = head.readBigUInt64LE(0);
  if (length < 2n || length > BigInt(headerBytesMax)) throw noModel("its header has an invalid length");
  if (head.byteLength > lengthBytes && head[lengthBytes] !== 0x7b) throw noModel("its header is not a JSON object");
  return Number(length);
}

function dataBytesOf(header: Buffer): number {
  const ranges = [...Object.entries(parsedHeader(header))]
    .filter(([name]) => name !== "__metadata__")
    .map(([, tensor]) => readRange(tensor))
    .sort((a, b) => a.begin - b.begin || a.end - b.end);
  let covered = 0;
  for (const { begin, end } of ranges) {
    // No holes and no overlaps, so every byte of the file has a meaning.
    if (begin !== covered) throw noModel("its tensors overlap or leave gaps");
    covered = end;
  }
  return covered;
}

function parsedHeader(header: Buffer): object {
  if (header[0] !== 0x7b) throw noModel("its header is not a JSON object");
  const text = attempt(() => new TextDecoder("utf-8", { fatal: true }).decode(header), "");
  const parsed = jsonOrUndefined(text);
  if (typeof parsed === "object" && parsed !== null) return parsed;
  throw noModel("its header is not a JSON object");
}

function readRange(tensor: unknown): { readonly begin: number; readonly end: number } {
  const { dtype, shape, data_offsets: offsets } = membersOf(tensor);
  if (typeof dtype !== "string" || !isCounts(shape) || !isCounts(offsets) || offsets.length !== 2)
    throw noModel("an entry in its header is not a tensor");
  const [begin = 0, end = 0] = offsets;
  const bits = bitsOf.get(dtype);
  const expected = bits === undefined ? null : Math.ceil((shape.reduce((all, side) => all * side, 1) * bits) / 8);
  if (begin > end || (expected !== null && expected !== end - begin))
    throw noModel("a tensor's size does not match its shape");
  return { begin, end };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function isCounts(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && item >= 0);
}

function noModel(problem: string): Fault {
  return new Fault("validation_failed", `This is not a valid safetensors file: ${problem}.`, {
    details: { field: "file" },
  });
}
