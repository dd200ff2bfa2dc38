// Renews a person's token that is valid only for the partners, before it expires: a graph may run longer than a token lives.
// The new token comes from the same session and ends with it. The old one stays valid until it expires.
import type { Operation } from "@atelier/contract";
import { operations } from "@atelier/contract";
import { Type } from "typebox";
import type { Principal, TokenHolder } from "../../capabilities/identity/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { jsonAnswer, type Route } from "../../foundation/http/area.ts";

export interface TokenDeps {
  sign(holder: TokenHolder): Promise<{ readonly token: string; readonly expiresAt: Date }>;
}

const Renewed = Type.Object({ token: Type.String(), expires_at: Type.String() });

const renewPartnerToken: Operation = {
  id: "renewPartnerToken",
  method: "POST",
  path: "/proxy/token/renew",
  tag: operations.relightImage.tag,
  summary: "Renew a token that reaches the partners only",
  description: "Takes an identity token of this server, or a token that was renewed here, and gives one for an hour.",
  access: "key",
  answers: {
    ...operations.getRelightTask.answers,
    200: { description: "The new token.", schema: Renewed, contentType: "application/json" },
  },
};

export function renewPartnerTokenRoute({ sign }: TokenDeps): Route<Principal> {
  return {
    operation: renewPartnerToken,
    async handle({ caller }) {
      if (caller.kind !== "identity" || caller.sessionId === null)
        throw new Fault("forbidden", "Only a person's token of this server can be renewed.");
      const { personId, workspaceId, sessionId } = caller;
      const { token, expiresAt } = await sign({ personId, workspaceId, sessionId });
      return jsonAnswer(200, { token, expires_at: expiresAt.toISOString() }, { "cache-control": "no-store" });
    },
  };
}
