// A webhook receiver on this machine that answers as a test says and keeps everything it receives.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface HookSink {
  // Host and port, for the server's settings.
  readonly target: string;
  readonly url: string;
  // What a path received, oldest first.
  at(path: string): readonly Received[];
  // The next answers for a path; 200 afterwards.
  answer(path: string, ...statuses: readonly number[]): void;
  close(): Promise<void>;
}

export async function openHookSink(): Promise<HookSink> {
  const received: Received[] = [];
  const answers = new Map<string, number[]>();
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const path = request.url ?? "";
    received.push({ path, headers: request.headers, body: Buffer.concat(parts).toString("utf8") });
    response.writeHead(answers.get(path)?.shift() ?? 200).end("noted");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const target = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    target,
    url: `http://${target}`,
    at: (path) => received.filter((each) => each.path === path),
    answer: (path, ...statuses) => void answers.set(path, [...statuses]),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
