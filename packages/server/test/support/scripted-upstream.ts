// A provider on loopback that answers from a script, for answers that a well-made sandbox never gives. Everything it says
// contains the mark, so that anything of it that reaches a caller can be found.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { ProviderDefinition } from "../../src/capabilities/providers/index.ts";

export const mark = "UPSTREAM-MARK";

export interface ScriptedAnswer {
  readonly status?: number;
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  // Runs instead of an answer.
  readonly act?: (response: ServerResponse) => void;
}

type ScriptedModel = Partial<ProviderDefinition["models"][number]>;

export interface Script {
  readonly answer: ScriptedAnswer | ((upstream: { url: string; host: string }) => ScriptedAnswer);
  readonly model?: ScriptedModel;
}

export interface ScriptedUpstream {
  readonly port: number;
  readonly url: string;
  readonly definition: ProviderDefinition;
  // Requests received, by path.
  readonly seen: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export async function scriptedUpstream(scripts: Readonly<Record<string, Script>>): Promise<ScriptedUpstream> {
  const seen = new Map<string, number>();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? "";
    seen.set(path, (seen.get(path) ?? 0) + 1);
    request.resume();
    request.on("end", () => {
      const script = scripts[path.split("/")[1] ?? ""];
      const said =
        typeof script?.answer === "function" ? script.answer({ url, host: `127.0.0.1:${port}` }) : script?.answer;
      if (said?.act) return said.act(response);
      response.writeHead(said?.status ?? 200, said?.reason ?? mark, {
        "content-type": "application/json",
        server: `${mark}/1.0`,
        "x-upstream": mark,
        ...said?.headers,
      });
      response.end(said?.body ?? "{}");
    });
  };
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const url = `http://127.0.0.1:${port}`;
  return {
    port,
    url,
    seen,
    definition: {
      provider: "scripted",
      base_url: url,
      credential: { kind: "none" },
      models: Object.entries(scripts).map(([name, { model }]) => ({ ...plainModel(name), ...model })),
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function plainModel(name: string): ProviderDefinition["models"][number] {
  return {
    model: name,
    released: true,
    submit: { path: `/${name}`, encoding: "json" },
    price: { usd: "0" },
    charges_on_policy_rejection: "no",
    input_schema: null,
    recovery: "neither",
    longest_run_seconds: 30,
  };
}

// A task that can be polled under the same path.
export const pollOf = (name: string) => ({
  handle: "/id",
  path: `/${name}/{handle}`,
  interval_ms: 50,
  state: "/status",
  pending: ["RUNNING"],
  succeeded: ["SUCCEEDED"],
  failed: ["FAILED"],
  refused: ["REFUSED"],
  message: "/message",
});
