// What the console's pages know before they ask for anything else.
import { type Static, Type } from "typebox";
import { entity, nullable, wordOf } from "./wire-values.ts";

export const ConsoleConfig = entity("ConsoleConfig", "Public facts of the server that serves the console.", {
  version: Type.String({ description: "The server's version." }),
  surface: wordOf(["cloud", "self_hosted"], {
    description:
      "`cloud`: everything is there. `self_hosted`: the v2 API beside one's own application, and no account.",
  }),
  auth: wordOf(["session", "token", "none"], {
    description:
      "How calls are let in: by a person's session, by a token that the operator set, or without a credential.",
  }),
  base_url: Type.String({ format: "uri", description: "What stands before paths in the examples." }),
  content_url: nullable(
    Type.String({ format: "uri" }),
    "The origin of bytes that users made; null where they come from the same.",
  ),
  sign_in: Type.Object(
    {
      links: Type.Boolean({ description: "One-time links are taken." }),
      oidc: nullable(
        Type.Object({
          name: Type.String({ description: "What people know the provider by." }),
          url: Type.String({ description: "Where signing in there begins." }),
        }),
        "Sign-in with an OpenID provider, where one is set.",
      ),
    },
    { description: "The ways to sign in." },
  ),
});
export type ConsoleConfig = Static<typeof ConsoleConfig>;
