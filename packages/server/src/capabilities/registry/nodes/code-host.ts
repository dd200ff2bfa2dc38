// What the registry asks a code host: whether a token may administer a repository, and how many stars it has. There is
// one host (a setting); we do not ask about repositories elsewhere.
import { Type } from "typebox";
import type { GuardedClient } from "../../../foundation/http/outgoing/guarded-client.ts";
import { jsonOrUndefined } from "../../../foundation/json/foreign-json.ts";
import { compileSchema } from "../../../foundation/json/schema.ts";

export type RepositoryAnswer =
  | { readonly kind: "repository"; readonly mayAdminister: boolean; readonly stars: number }
  // It does not exist, or this token cannot see it.
  | { readonly kind: "refused" }
  | { readonly kind: "unknown_host" }
  | { readonly kind: "away" };

export interface CodeHost {
  look(repository: string, token: string | null): Promise<RepositoryAnswer>;
}

export interface CodeHostOptions {
  readonly client: Pick<GuardedClient, "request">;
  // The base URL of its API, for example https://api.github.com.
  readonly apiUrl: string;
  // The host name in repository URLs.
  readonly webHost: string;
}

const Repository = Type.Object({
  stargazers_count: Type.Optional(Type.Integer({ minimum: 0 })),
  permissions: Type.Optional(Type.Object({ admin: Type.Optional(Type.Boolean()) })),
});
const check = compileSchema(Repository);

export function createCodeHost({ client, apiUrl, webHost }: CodeHostOptions): CodeHost {
  return {
    async look(repository, token) {
      const name = repositoryName(repository, webHost);
      if (name === null) return { kind: "unknown_host" };
      const outcome = await client.request({
        url: `${apiUrl.replace(/\/+$/, "")}/repos/${name}`,
        method: "GET",
        headers: {
          accept: "application/json",
          "user-agent": "atelier",
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        answerBytesMax: 256 * 1024,
        totalMs: 10_000,
      });
      if (outcome.kind !== "answered" || outcome.status >= 500 || outcome.status === 429) return { kind: "away" };
      const body = outcome.status === 200 && !outcome.truncated ? jsonOrUndefined(outcome.body) : null;
      if (!check.accepts(body)) return { kind: "refused" };
      return {
        kind: "repository",
        mayAdminister: body.permissions?.admin ?? false,
        stars: body.stargazers_count ?? 0,
      };
    },
  };
}

// `owner/name`. Null if the address is not a repository on this host.
export function repositoryName(repository: string, webHost: string): string | null {
  const url = URL.parse(repository.replace(/^git@([^:/]+):/, "https://$1/"));
  if (url === null || url.hostname.replace(/^www\./, "") !== webHost) return null;
  const [, owner, name, ...rest] = url.pathname.replace(/\/+$/, "").split("/");
  const isWord = (text: string | undefined) =>
    text !== undefined && /^[A-Za-z0-9._-]{1,100}$/.test(text) && !/^\.+$/.test(text);
  const bare = name?.replace(/\.git$/, "");
  return isWord(owner) && isWord(bare) && rest.length === 0 ? `${owner}/${bare}` : null;
}
