// Where the server is and who asks. The key is never taken from the command line's history if it can be helped: the
// environment first, then the file that the first start left in the data folder.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ClientProblem, problemOfAnswer, unreachable } from "./client-problem.ts";

export interface ConnectionWish {
  readonly baseUrl: string | undefined;
  readonly key: string | undefined;
  readonly home: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface CallOptions {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly body?: string | FormData;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Connection {
  readonly baseUrl: string;
  // Resolves for every 2xx, throws a ClientProblem for the rest.
  call(path: string, options?: CallOptions): Promise<Response>;
  // The same for an answer that is JSON; what it holds is the contract's business.
  read<T>(path: string, options?: CallOptions): Promise<T>;
}

const defaultBaseUrl = "http://127.0.0.1:8080";

export function connect(wish: ConnectionWish): Connection {
  const baseUrl = (wish.baseUrl ?? wish.env["ATELIER_BASE_URL"] ?? defaultBaseUrl).replace(/\/+$/, "");
  if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl))
    throw new ClientProblem("usage", "usage", `"${baseUrl}" is no address of a server.`, {
      hint: "for example --base-url http://127.0.0.1:8080",
    });
  const key = wish.key ?? wish.env["ATELIER_API_KEY"] ?? firstKey(wish.home ?? wish.env["ATELIER_HOME"] ?? ".atelier");
  const connection: Connection = {
    baseUrl,
    read: async <T>(path: string, options?: CallOptions) => (await connection.call(path, options)).json() as T,
    async call(path, options = {}) {
      // A link of the server may be relative to its host; a path of ours stands below the base.
      const url = /^https?:/.test(path) ? path : resolvePath(baseUrl, path);
      const isOwn = new URL(url).origin === new URL(baseUrl).origin;
      const authorization = key !== undefined && isOwn ? { authorization: `Bearer ${key}` } : {};
      let response: Response;
      try {
        response = await fetch(url, { ...options, headers: { ...options.headers, ...authorization } });
      } catch (error) {
        if (options.signal?.aborted) throw error;
        throw unreachable(baseUrl, error);
      }
      if (!response.ok) throw await problemOfAnswer(response, key !== undefined);
      return response;
    },
  };
  return connection;
}

function resolvePath(baseUrl: string, path: string): string {
  const mount = new URL(baseUrl).pathname.replace(/\/+$/, "");
  return path.startsWith(`${mount}/`) ? new URL(path, baseUrl).href : `${baseUrl}${path}`;
}

function firstKey(home: string): string | undefined {
  try {
    return /^API key: +(\S+)$/m.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
