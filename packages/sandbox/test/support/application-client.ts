// A test client of the application: one websocket that records every message, and the HTTP calls around it.
import { setTimeout as pause } from "node:timers/promises";
import { type RawData, WebSocket } from "ws";

type Data = Readonly<Record<string, unknown>>;
export type Heard =
  | { readonly type: string; readonly data: Data }
  | { readonly type: "binary"; readonly bytes: Buffer };

const waitMs = 60_000;

export async function until<Found>(look: () => Found | Promise<Found>): Promise<NonNullable<Found>> {
  for (const end = performance.now() + waitMs; performance.now() < end; await pause(5)) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
  }
  throw new Error("What was waited for did not happen.");
}

export class ApplicationClient {
  readonly url: string;
  readonly clientId: string;
  readonly heard: Heard[] = [];
  isOpen = false;
  #socket: WebSocket | null = null;

  constructor(url: string, clientId: string) {
    this.url = url;
    this.clientId = clientId;
  }

  // With `flags`, announces that it understands previews with an owner, and waits for the answer.
  async connect({
    flags = true,
    headers = {},
  }: {
    flags?: boolean;
    headers?: Record<string, string>;
  } = {}): Promise<this> {
    const address = `${this.url.replace("http", "ws")}/ws?clientId=${this.clientId}`;
    const socket = new WebSocket(address, { headers });
    this.#socket = socket;
    socket.on("message", (raw, isBinary) => this.heard.push(heardOf(raw, isBinary)));
    socket.on("close", () => {
      this.isOpen = false;
    });
    await new Promise<void>((resolve, reject) => {
      socket.once("open", () => resolve());
      socket.on("error", reject);
    });
    this.isOpen = true;
    await until(() => this.heard.length > 0);
    if (flags) {
      socket.send(JSON.stringify({ type: "feature_flags", data: { supports_preview_metadata: true } }));
      await until(() => this.of("feature_flags").length > 0);
    }
    return this;
  }

  of(type: string): readonly Data[] {
    return this.heard.flatMap((message) => (message.type === type && "data" in message ? [message.data] : []));
  }

  get previews(): readonly Buffer[] {
    return this.heard.flatMap((message) => ("bytes" in message ? [message.bytes] : []));
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, { headers, signal: AbortSignal.timeout(waitMs) });
  }

  async post(
    path: string,
    body: unknown,
  ): Promise<{ readonly status: number; readonly text: string; readonly json: Data }> {
    const answer = await fetch(`${this.url}${path}`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(waitMs),
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
    return { status: answer.status, text, json: isJson ? recordOf(JSON.parse(text)) : {} };
  }

  async submit(prompt: object, more: object = {}): Promise<string> {
    const { json } = await this.post("/prompt", { prompt, client_id: this.clientId, ...more });
    return String(json["prompt_id"]);
  }

  // Waits for a prompt's last message, which comes after its history is written.
  ended(promptId: string): Promise<boolean> {
    return until(() => this.of("executing").some((data) => data["node"] === null && data["prompt_id"] === promptId));
  }

  async history(promptId: string): Promise<Data> {
    const all = recordOf(await (await this.get(`/history/${promptId}`)).json());
    return recordOf(all[promptId]);
  }

  async stored(promptId: string): Promise<Data> {
    return until(async () => {
      const entry = await this.history(promptId);
      return Object.keys(entry).length > 0 ? entry : null;
    });
  }

  close(): void {
    this.#socket?.terminate();
  }
}

function heardOf(raw: RawData, isBinary: boolean): Heard {
  const bytes = Array.isArray(raw) ? Buffer.concat(raw) : Buffer.isBuffer(raw) ? raw : Buffer.from(raw);
  if (isBinary) return { type: "binary", bytes };
  try {
    const message = recordOf(JSON.parse(bytes.toString()));
    return { type: String(message["type"]), data: recordOf(message["data"]) };
  } catch {
    return { type: "nonsense", data: {} };
  }
}

export function recordOf(value: unknown): Data {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
