// Sends large binary values from where they are. The driver would copy each into a message of its own first: megabytes of garbage
// for a document, which make the whole heap be collected every few saves.
import type { Duplex } from "node:stream";
import type { WireValue } from "./wire-value.ts";

export const largeValueBytesMin = 64 * 1024;

export interface BindConfig {
  readonly portal?: string;
  readonly statement?: string;
  readonly values?: readonly WireValue[];
}

// The driver's connection, as far as it is used here.
interface DriverConnection {
  readonly stream: Duplex;
  bind(config: BindConfig): void;
}

export function sendLargeValuesAsTheyAre(client: object): void {
  const { connection } = client as { connection: DriverConnection };
  const bind = connection.bind.bind(connection);
  connection.bind = (config) => {
    if (!config.values?.some(isLarge)) return bind(config);
    if (!connection.stream.writable) return;
    for (const piece of bindMessage(config)) connection.stream.write(piece);
  };
}

// PostgreSQL's Bind message, in which the large values are pieces of their own.
export function bindMessage({ portal = "", statement = "", values = [] }: BindConfig): Buffer[] {
  const pieces: Buffer[] = [];
  let small: Buffer[] = [Buffer.from(`${portal}\0${statement}\0`)];
  small.push(int16s([values.length, ...values.map((value) => (Buffer.isBuffer(value) ? 1 : 0)), values.length]));
  for (const value of values) {
    const bytes = typeof value === "string" ? Buffer.from(value) : value;
    small.push(int32(bytes === null ? -1 : bytes.length));
    if (isLarge(value)) {
      pieces.push(Buffer.concat(small), value);
      small = [];
    } else if (bytes !== null) small.push(bytes);
  }
  // All results come as text.
  pieces.push(Buffer.concat([...small, int16s([1, 0])]));
  const length = pieces.reduce((sum, piece) => sum + piece.length, 4);
  return [Buffer.concat([Buffer.from("B"), int32(length)]), ...pieces];
}

function isLarge(value: WireValue): value is Buffer {
  return Buffer.isBuffer(value) && value.length >= largeValueBytesMin;
}

function int16s(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value, at * 2);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
