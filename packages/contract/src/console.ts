// What the console's pages know before they ask for anything else.
import { type Static, Type } from "typebox";
import { entity, nullable, wordOf } from "./wire-values.ts";

export const ConsoleConfig = entity("ConsoleConfig", "Public facts about the server behind the console.", {
  version: Type.String({ description: "The server's version." }),
  surface: wordOf(["cloud", "self_hosted"], {
    description:
      "`cloud`: the full product. `self_hosted`: only the v2 API in front of your own application, without accounts.",
  }),
  auth: wordOf(["session", "token", "none"], {
    description: "How calls are authenticated: by a person's session, by a token set by the operator, or not at all.",
  }),
  base_url: Type.String({ format: "uri", description: "The base URL for paths in the examples." }),
  content_url: nullable(
    Type.String({ format: "uri" }),
    "The origin that serves user files; null if it is the same one.",
  ),
  credits_per_usd: nullable(
    Type.Integer({ minimum: 1 }),
    "How many credits one US dollar buys; null where nothing is sold.",
  ),
  sells_credits: Type.Boolean({ description: "Whether workspaces can buy credits here." }),
  editor_url: nullable(
    Type.String(),
    "Where the ecosystem's editor is, with `workflow`, `job` or `picture` in the query; null if it is not installed.",
  ),
  sign_in: Type.Object(
    {
      links: Type.Boolean({ description: "Whether one-time links are accepted." }),
      oidc: nullable(
        Type.Object({
          name: Type.String({ description: "The provider's display name." }),
          url: Type.String({ description: "Where to start signing in there." }),
        }),
        "Sign-in with an OpenID provider, if one is configured.",
      ),
    },
    { description: "The available ways to sign in." },
  ),
});
export type ConsoleConfig = Static<typeof ConsoleConfig>;
