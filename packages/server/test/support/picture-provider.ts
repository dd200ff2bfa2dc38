// A provider that answers with a one-pixel picture, holds calls until told to answer, and remembers the headers of each
// call.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { pixel } from "./partner-app.ts";
import { aDefinition, aModel } from "./provider-example-calls.ts";

export interface PictureProvider {
  readonly definition: ReturnType<typeof aDefinition>;
  readonly headers: readonly IncomingHttpHeaders[];
  flow(isFlowing: boolean): void;
  close(): Promise<void>;
}

export async function pictureProvider(provider: string): Promise<PictureProvider> {
  const headers: IncomingHttpHeaders[] = [];
  const waiting = new Set<ServerResponse>();
  let isFlowing = true;
  const answer = (response: ServerResponse) => {
    waiting.delete(response);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ images: [{ b64_json: pixel }] }));
  };
  const server = createServer((request, response) => {
    headers.push(request.headers);
    request.resume();
    request.on("end", () => (isFlowing ? answer(response) : waiting.add(response)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const model = aModel({
    model: "picture",
    released: true,
    price: { usd: "0.01" },
    submit: { path: "/picture", encoding: "json" },
  });
  return {
    definition: aDefinition(provider, {
      base_url: `http://127.0.0.1:${port}`,
      reference_header: "X-Request-Reference",
      models: [model],
    }),
    headers,
    flow(next) {
      isFlowing = next;
      if (isFlowing) for (const response of [...waiting]) answer(response);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
