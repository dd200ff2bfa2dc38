// COPY in both directions on one connection, in constant memory: data is passed on in pieces of 64 KiB, and neither side runs
// ahead of the other.
import { Readable } from "node:stream";
import type { Client, Connection, Submittable } from "pg";
import type { Statement } from "./sql.ts";

type Wire = Connection["stream"];

// The methods that the driver calls on the active query.
interface CopyQuery extends Submittable {
  handleCopyData(message: { chunk: Buffer }): void;
  handleCopyInResponse(): void;
  handleCommandComplete(message: { text: string }): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
  handleRowDescription(): void;
  handleEmptyQuery(): void;
}

function plainText(statement: Statement): string {
  if (statement.values.length > 0) throw new Error("COPY cannot have values.");
  return statement.text;
}

const rowsIn = (tag: string) => Number(/^COPY (\d+)/.exec(tag)?.[1] ?? Number.NaN);

export interface CopyOut {
  readonly stream: Readable;
  // Known when the stream has ended.
  rows(): number;
}

// Read the stream to its end before using the connection for anything else.
export function copyOut(client: Client, statement: Statement): CopyOut {
  const query = new CopyOutQuery(plainText(statement));
  client.query(query);
  return { stream: query.stream, rows: () => query.rows };
}

const pieceBytes = 64 * 1024;

class CopyOutQuery implements CopyQuery {
  readonly stream: Readable;
  rows = Number.NaN;
  readonly #text: string;
  #wire: Wire | undefined;
  #answered = false;
  #piece = Buffer.allocUnsafeSlow(pieceBytes);
  #filled = 0;

  constructor(text: string) {
    this.#text = text;
    this.stream = new Readable({
      highWaterMark: 4 * pieceBytes,
      read: () => void this.#wire?.resume(),
      // If the reader gives up half-way, the connection is still sending rows and cannot be reused.
      destroy: (error, done) => {
        if (!this.#answered) this.#wire?.destroy();
        done(error);
      },
    });
  }

  submit(connection: Connection): void {
    this.#wire = connection.stream;
    connection.query(this.#text);
  }

  // The bytes live in the driver's buffer and must be copied.
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#filled + chunk.length > pieceBytes) this.#flush();
    if (chunk.length > pieceBytes) this.#hand(Buffer.from(chunk));
    else this.#filled += chunk.copy(this.#piece, this.#filled);
  }

  handleCommandComplete(message: { text: string }): void {
    this.rows = rowsIn(message.text);
  }

  handleReadyForQuery(): void {
    this.#answered = true;
    this.#flush();
    this.stream.push(null);
  }

  handleError(error: Error): void {
    this.#answered = true;
    this.#wire?.resume();
    this.stream.destroy(error);
  }

  handleCopyInResponse(): void {
    this.stream.destroy(new Error("This statement reads rows in; it does not send any out."));
  }

  handleRowDescription(): void {}

  handleEmptyQuery(): void {}

  #flush(): void {
    if (this.#filled === 0) return;
    this.#hand(this.#piece.subarray(0, this.#filled));
    this.#piece = Buffer.allocUnsafeSlow(pieceBytes);
    this.#filled = 0;
  }

  #hand(bytes: Buffer): void {
    if (!this.stream.push(bytes)) this.#wire?.pause();
  }
}

// Returns the number of rows. If the source fails, PostgreSQL is notified and discards the whole COPY.
export function copyIn(client: Client, statement: Statement, source: AsyncIterable<Buffer>): Promise<number> {
  const query = new CopyInQuery(plainText(statement), source);
  client.query(query);
  return query.rows;
}

class CopyInQuery implements CopyQuery {
  readonly rows: Promise<number>;
  readonly #settle: Pick<PromiseWithResolvers<number>, "resolve" | "reject">;
  readonly #text: string;
  readonly #source: AsyncIterable<Buffer>;
  #wire: Wire | undefined;
  #count = Number.NaN;
  #failed = false;

  constructor(text: string, source: AsyncIterable<Buffer>) {
    const { promise, ...settle } = Promise.withResolvers<number>();
    this.rows = promise;
    this.#settle = settle;
    this.#text = text;
    this.#source = source;
  }

  submit(connection: Connection): void {
    this.#wire = connection.stream;
    connection.query(this.#text);
  }

  handleCopyInResponse(): void {
    if (this.#wire) void this.#pump(this.#wire);
  }

  handleCommandComplete(message: { text: string }): void {
    this.#count = rowsIn(message.text);
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.#count);
  }

  handleError(error: Error): void {
    this.#failed = true;
    this.#settle.reject(error);
  }

  handleCopyData(): void {}

  handleRowDescription(): void {}

  handleEmptyQuery(): void {}

  async #pump(wire: Wire): Promise<void> {
    try {
      for await (const bytes of this.#source) {
        if (this.#failed) return;
        wire.cork();
        wire.write(frameHead("d", bytes.length));
        const room = wire.write(bytes);
        wire.uncork();
        if (!room) await drained(wire);
      }
      wire.write(frameHead("c", 0));
    } catch (error) {
      const why = Buffer.from(`${error instanceof Error ? error.message : "the source failed"}\0`);
      wire.write(Buffer.concat([frameHead("f", why.length), why]));
    }
  }
}

// The head of a protocol message: its letter, then its length, which includes the length field.
function frameHead(letter: string, bodyBytes: number): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter, 0, "latin1");
  head.writeInt32BE(bodyBytes + 4, 1);
  return head;
}

function drained(wire: Wire): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      wire.off("drain", done);
      wire.off("close", done);
      resolve();
    };
    wire.once("drain", done);
    wire.once("close", done);
  });
}
