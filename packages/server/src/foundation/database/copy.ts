// COPY in both directions on one connection, in constant memory: what arrives is handed on in pieces of 64 KiB, and
// neither side runs ahead of the other.
import { Readable } from "node:stream";
import type { Client, Connection, Submittable } from "pg";
import type { Statement } from "./sql.ts";

const pieceBytes = 64 * 1024;

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
  if (statement.values.length > 0) throw new Error("COPY takes no values.");
  return statement.text;
}

const rowsIn = (tag: string) => Number(/^COPY (\d+)/.exec(tag)?.[1] ?? Number.NaN);

export interface CopyOut {
  readonly stream: Readable;
  // Known when the stream has ended.
  rows(): number;
}

// The stream must be read to its end before the connection is used for anything else.
export function copyOut(client: Client, statement: Statement): CopyOut {
  const text = plainText(statement);
  let source: Connection["stream"] | undefined;
  let rows = Number.NaN;
  let piece = Buffer.allocUnsafeSlow(pieceBytes);
  let filled = 0;
  let answered = false;
  const stream = new Readable({
    highWaterMark: 4 * pieceBytes,
    read: () => void source?.resume(),
    // A reader that gives up half-way leaves a connection that still speaks of its rows: it is of no use to anybody.
    destroy(error, done) {
      if (!answered) source?.destroy();
      done(error);
    },
  });

  function hand(bytes: Buffer): void {
    if (!stream.push(bytes)) source?.pause();
  }

  function flush(): void {
    if (filled === 0) return;
    hand(piece.subarray(0, filled));
    piece = Buffer.allocUnsafeSlow(pieceBytes);
    filled = 0;
  }

  const query: CopyQuery = {
    submit(connection) {
      source = connection.stream;
      connection.query(text);
    },
    // The bytes belong to the driver's buffer and must be copied.
    handleCopyData({ chunk }) {
      if (filled + chunk.length > pieceBytes) flush();
      if (chunk.length > pieceBytes) return hand(Buffer.from(chunk));
      filled += chunk.copy(piece, filled);
    },
    handleCommandComplete(message) {
      rows = rowsIn(message.text);
    },
    handleReadyForQuery() {
      answered = true;
      flush();
      stream.push(null);
    },
    handleError(error) {
      answered = true;
      source?.resume();
      stream.destroy(error);
    },
    handleCopyInResponse: () => stream.destroy(new Error("This statement takes rows in.")),
    handleRowDescription() {},
    handleEmptyQuery() {},
  };
  client.query(query);
  return { stream, rows: () => rows };
}

// Answers with the number of rows. When the source fails, PostgreSQL is told and takes nothing of it.
export function copyIn(client: Client, statement: Statement, source: AsyncIterable<Buffer>): Promise<number> {
  const text = plainText(statement);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let target: Connection["stream"] | undefined;
  let rows = Number.NaN;
  let over = false;

  async function pump(to: Connection["stream"]): Promise<void> {
    try {
      for await (const bytes of source) {
        if (over) return;
        to.cork();
        to.write(frameHead("d", bytes.length));
        const room = to.write(bytes);
        to.uncork();
        if (!room) await drained(to);
      }
      to.write(frameHead("c", 0));
    } catch (error) {
      const why = Buffer.from(`${error instanceof Error ? error.message : "the source failed"}\0`);
      to.write(Buffer.concat([frameHead("f", why.length), why]));
    }
  }

  const query: CopyQuery = {
    submit(connection) {
      target = connection.stream;
      connection.query(text);
    },
    handleCopyInResponse() {
      if (target) void pump(target);
    },
    handleCommandComplete(message) {
      rows = rowsIn(message.text);
    },
    handleReadyForQuery: () => resolve(rows),
    handleError(error) {
      over = true;
      reject(error);
    },
    handleCopyData() {},
    handleRowDescription() {},
    handleEmptyQuery() {},
  };
  client.query(query);
  return promise;
}

// A message of the protocol: its letter, then its length counting itself.
function frameHead(letter: string, bodyBytes: number): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter, 0, "latin1");
  head.writeInt32BE(bodyBytes + 4, 1);
  return head;
}

function drained(to: Connection["stream"]): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      to.off("drain", done);
      to.off("close", done);
      resolve();
    };
    to.once("drain", done);
    to.once("close", done);
  });
}
