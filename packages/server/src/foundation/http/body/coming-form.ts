// Parses a multipart form as it arrives, with its parts in any order and memory that does not grow with the file. The file's
// bytes are passed on as they arrive. Their stream ends only when the whole form has ended and is valid, so a consumer commits
// nothing of a form that turns out to be invalid after its file. Names in the form stay in the form.
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import type { Clock } from "../../clock.ts";
import { asFault, Fault, wrongField } from "../../fault.ts";
import { guardRate, requireIdentityEncoding, requireMediaType } from "./read-body.ts";

// Collects the form's other fields.
export interface FormFields {
  // Throws if the value is invalid. Unknown names are ignored.
  take(name: string, value: string): void;
  // Called after the last field. Throws if something is missing.
  finish(): unknown;
}

export interface UploadForm<Fields extends FormFields = FormFields> {
  readonly fields: Fields;
  // The file name given by the file part. Null if it has none, or has not begun.
  fileName(): string | null;
  // Resolves when the file part begins. Throws if the form ends or breaks before that.
  begun(): Promise<void>;
  // The file's bytes, then the rest of the form. Throws if the form is invalid.
  file(): AsyncIterable<Uint8Array>;
  // Stops reading after a failure. The HTTP entrance discards what the client still sends.
  giveUp(): Promise<void>;
}

export interface UploadFormOptions<Fields extends FormFields = FormFields> {
  // The name of the file part.
  readonly filePart: string;
  readonly fields: Fields;
  readonly fileBytesMax: number;
  readonly clock: Clock;
}

const partLimits = {
  files: 1,
  // Four single fields, 64 tags, and a few that we ignore.
  fields: 72,
  fieldNameSize: 100,
  fieldSize: 64 * 1024,
  parts: 74,
  headerPairs: 16,
  headerSize: 8 * 1024,
} as const;
// All fields, headers and boundaries together.
const overheadBytesMax = 1024 * 1024;
const rateWindowMs = 30_000;
const windowBytesMin = 30 * 1024;

export function openForm<Fields extends FormFields>(
  request: { readonly headers: IncomingHttpHeaders; readonly stream: Readable },
  options: UploadFormOptions<Fields>,
): UploadForm<Fields> {
  requireIdentityEncoding(request.headers);
  requireMediaType(request.headers, "multipart/form-data");
  return new ComingForm(request.stream, parserOf(request.headers["content-type"] ?? "", options), options);
}

function parserOf(contentType: string, { fileBytesMax, filePart }: UploadFormOptions): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      // Only the part's name decides, whatever its headers claim.
      isPartAFile: (name) => name === filePart,
      // One byte more than allowed, so that the count shows when the file is too large.
      limits: { ...partLimits, fileSize: fileBytesMax + 1 },
    });
  } catch (cause) {
    throw new Fault("invalid_request", "The Content-Type header has no valid boundary.", { cause });
  }
}

class ComingForm<Fields extends FormFields> implements UploadForm<Fields> {
  readonly fields: Fields;
  readonly #stream: Readable;
  readonly #parser: BusboyInstance;
  readonly #options: UploadFormOptions<Fields>;
  readonly #begun = Promise.withResolvers<BusboyFileStream>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #pumped: Promise<void>;
  #isOver = false;
  #isParsed = false;
  #fault: Fault | null = null;
  // Ends the pump's current wait.
  #endWait: (reason: Fault) => void = () => undefined;
  #file: BusboyFileStream | null = null;
  #fileName: string | null = null;

  constructor(stream: Readable, parser: BusboyInstance, options: UploadFormOptions<Fields>) {
    this.fields = options.fields;
    this.#stream = stream;
    this.#parser = parser;
    this.#options = options;
    // Each is awaited sooner or later, or never needed.
    for (const { promise } of [this.#begun, this.#ended]) promise.catch(() => undefined);
    this.#listen();
    this.#pumped = this.#pump();
  }

  fileName(): string | null {
    return this.#fileName;
  }

  async begun(): Promise<void> {
    await this.#begun.promise;
  }

  async *file(): AsyncGenerator<Uint8Array> {
    try {
      yield* await this.#begun.promise;
      await this.#ended.promise;
      this.fields.finish();
    } catch (thrown) {
      // Our message for a broken form says more than the parser's.
      throw this.#fault ?? thrown;
    } finally {
      // Also when the consumer stops early.
      this.#isOver = true;
      this.#endWait(new Fault("client_disconnected", "The upload was aborted."));
    }
  }

  async giveUp(): Promise<void> {
    this.#fail(new Fault("client_disconnected", "The upload was aborted."));
    await this.#pumped;
  }

  #listen(): void {
    this.#parser
      .on("file", (_name, stream, fileName) => {
        this.#file = stream;
        this.#fileName = fileName || null;
        stream.on("error", (cause) => this.#fail(brokenForm(cause)));
        this.#begun.resolve(stream);
      })
      .on("field", (name, value, isNameCut, isValueCut) => this.#takeField(name, value, isNameCut || isValueCut))
      .on("partsLimit", () => this.#fail(wrongField("The form", "has too many parts")))
      .on("fieldsLimit", () => this.#fail(wrongField("The form", "has too many fields")))
      .on("filesLimit", () => this.#fail(wrongField(this.#options.filePart, "came twice")))
      .on("error", (cause) => this.#fail(brokenForm(cause)))
      .on("finish", () => {
        this.#isParsed = true;
        if (this.#file === null) this.#fail(wrongField(this.#options.filePart, "is missing"));
        this.#ended.resolve();
      });
  }

  #takeField(name: string | undefined, value: string, isCut: boolean): void {
    try {
      if (isCut) throw wrongField("A field", "is too long");
      if (name !== undefined) this.fields.take(name, value);
    } catch (thrown) {
      this.#fail(asFault(thrown));
    }
  }

  #fail(fault: Fault): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#fault = fault;
    this.#endWait(fault);
    this.#begun.reject(fault);
    this.#ended.reject(fault);
    this.#file?.destroy(fault);
  }

  async #pump(): Promise<void> {
    let received = 0;
    const bytesMax = this.#options.fileBytesMax + overheadBytesMax;
    const guard = guardRate(
      { clock: this.#options.clock, windowMs: rateWindowMs, windowBytesMin, bytesSoFar: () => received },
      () => this.#fail(new Fault("request_timeout", "The request body arrived too slowly.")),
    );
    // Stopping early must not destroy the connection: the answer has to be sent over it.
    const chunks = this.#stream.iterator({ destroyOnReturn: false });
    try {
      while (!this.#isOver) {
        const next = await this.#unlessGivenUp(chunks.next());
        if (next.done) break;
        received += next.value.length;
        if (received > bytesMax) this.#fail(tooLarge(this.#options.fileBytesMax));
        else await this.#write(next.value);
      }
      if (!this.#isOver) this.#endParser();
    } catch {
      this.#fail(new Fault("client_disconnected", "The client closed the connection."));
    } finally {
      guard.stop();
      chunks.return?.(undefined)?.catch(() => undefined);
    }
  }

  // For some broken forms (a part without a head) the parser reports nothing, neither an end nor an error, and a caller would
  // wait forever. All input has been written and consumed, so the parser must report now.
  #endParser(): void {
    this.#parser.end();
    const requireWord = () => {
      if (!this.#isParsed) this.#fail(brokenForm("The parser did not finish."));
    };
    const soon = () => setImmediate(() => setImmediate(requireWord));
    if (this.#file === null || this.#file.readableEnded) soon();
    else this.#file.once("end", soon);
  }

  // The parser takes the next bytes once the consumer of the file has taken the last ones.
  async #write(chunk: Buffer): Promise<void> {
    const written = new Promise<void>((resolve) => this.#parser.write(chunk, () => resolve()));
    await this.#unlessGivenUp(written);
  }

  // One wait at a time. Racing against a promise that lives as long as the form would keep a little memory for every chunk
  // until the end.
  #unlessGivenUp<T>(wanted: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#endWait = reject;
      if (this.#isOver) reject(this.#fault ?? new Fault("client_disconnected", "The upload was aborted."));
      wanted.then(resolve, reject);
    });
  }
}

// Report the file's own limit, which the sender can act on. The allowance for the rest of the form is our business.
function tooLarge(bytesMax: number): Fault {
  return new Fault("payload_too_large", `The file is larger than ${bytesMax} bytes.`, {
    details: { bytes_max: bytesMax },
  });
}

function brokenForm(cause: unknown): Fault {
  return new Fault("invalid_request", "The form is malformed or incomplete.", { cause });
}
