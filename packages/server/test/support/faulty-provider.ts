// A provider on loopback that misbehaves as the call asks, counts what it ran, and can be asked about a reference. Two of them
// are the targets of a route: each reads the fault that the body names for it.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ProviderDefinition } from "../../src/capabilities/providers/index.ts";
import { aDefinition, aModel } from "./provider-example-calls.ts";

// Those that end in _ran run the call before they fail.
export const faults = [
  "ok",
  "forbidden",
  "busy",
  "full",
  "hang",
  "hang_ran",
  "reset",
  "reset_ran",
  "error",
  "error_ran",
] as const;
export type ProviderFault = (typeof faults)[number];

// Those that are absent say nothing.
const said: Partial<Record<ProviderFault, readonly [status: number, body: string]>> = {
  ok: [200, ""],
  forbidden: [403, "{}"],
  busy: [429, "{}"],
  full: [503, '{"error":"queue_full"}'],
  error: [500, "{}"],
  error_ran: [500, "{}"],
};

export interface FaultyProvider {
  readonly definition: ProviderDefinition;
  // How often it ran each call, by the call's prompt.
  readonly runs: ReadonlyMap<string, number>;
  // How often it was asked to.
  readonly asked: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

// What a call asks for: as it is, or as the content of an OpenAI-shaped message.
interface Asked {
  readonly prompt: string;
  readonly faults?: Readonly<Record<string, ProviderFault>>;
}

const completionOf = (content: string) => ({
  id: "made",
  object: "chat.completion",
  created: 0,
  model: "draw",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

interface Options {
  readonly name: string;
  readonly usd: string;
  // Whether "not found" is final, and after how many seconds. Null: the provider cannot be asked at all.
  readonly finalAfterSeconds?: number | null;
  readonly longestRunSeconds?: number;
}

export async function faultyProvider(options: Options): Promise<FaultyProvider> {
  const { name } = options;
  const runs = new Map<string, number>();
  const asked = new Map<string, number>();
  const answers = new Map<string, string>();
  const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
  const answer = (response: ServerResponse, status: number, body: string) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body);
  };

  function work(request: IncomingMessage, response: ServerResponse, text: string): void {
    const asks: Asked | { readonly messages: readonly { readonly content: string }[] } = JSON.parse(text);
    const chat = "messages" in asks;
    const { prompt, faults: wanted = {} }: Asked = chat ? JSON.parse(asks.messages[0]?.content ?? "") : asks;
    const fault = wanted[name] ?? "ok";
    count(asked, prompt);
    const made = { made_by: name, prompt };
    const result = JSON.stringify(chat ? completionOf(JSON.stringify(made)) : made);
    if (fault === "ok" || fault.endsWith("_ran")) {
      count(runs, prompt);
      answers.set(String(request.headers["x-reference"]), result);
    }
    if (fault === "reset" || fault === "reset_ran") request.socket.destroy();
    const [status, body] = said[fault] ?? [null, ""];
    if (status !== null) answer(response, status, fault === "ok" ? result : body);
  }

  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => {
      text += part;
    });
    request.on("end", () => {
      if (request.method === "POST") return work(request, response, text);
      const found = answers.get((request.url ?? "").slice("/references/".length));
      return found === undefined ? answer(response, 404, "{}") : answer(response, 200, found);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    definition: definitionOf(options, `http://127.0.0.1:${port}`),
    runs,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function definitionOf({ name, usd, finalAfterSeconds = 0, longestRunSeconds = 60 }: Options, base_url: string) {
  const ask = { path: "/references/{reference}", not_found: [404], running: [409] };
  return aDefinition(name, {
    base_url,
    reference_header: "X-Reference",
    models: [
      aModel({
        model: "draw",
        released: true,
        kind: "image",
        submit: { path: "/draw", encoding: "json" },
        price: { usd },
        rules: [{ when: { pointer: "/error", equals: "queue_full" }, means: "not_run" }],
        input_schema: {
          type: "object",
          required: ["prompt"],
          additionalProperties: false,
          properties: {
            prompt: { type: "string" },
            seed: { type: "integer" },
            faults: { type: "object" },
          },
        },
        ...(finalAfterSeconds === null
          ? { recovery: "neither" as const }
          : { recovery: "ask" as const, ask: { ...ask, final_after_seconds: finalAfterSeconds } }),
        longest_run_seconds: longestRunSeconds,
      }),
    ],
  });
}
