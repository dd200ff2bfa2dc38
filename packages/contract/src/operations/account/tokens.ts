// Identity tokens of signed-in people, and tokens that may do less than what they were made from.
import { Type } from "typebox";
import { AccountToken, AccountTokenPage, AccountTokenQuery, CreatedToken, NewToken } from "../../account/tokens.ts";
import { headerName } from "../../headers.ts";
import { operationTable } from "../../operation.ts";
import { Uuid } from "../../wire-values.ts";
import { answer, jsonBody, ofAccount } from "../answers.ts";

const tokenId = Type.Object({ tokenId: Uuid });
export const tokenAccountOperations = operationTable(ofAccount, {
  // The id is older than tokens with fewer rights.
  createIdentityToken: {
    method: "POST",
    path: "/account/tokens",
    role: "viewer",
    summary: "Make a token",
    takesSession: true,
    description:
      "With a body: a token for a browser, a phone or an agent, valid for at most 24 hours. It may do what the body names and never more than the caller; what it spends counts against the caller too. Keys, sessions, and tokens with derive_tokens can make one. Without a body, for a person signed in with a browser: an identity token (JWT) for the workspace selected in the session.",
    body: jsonBody(NewToken, false),
    answers: { 201: answer(CreatedToken, "The token.", [headerName.cacheControl]) },
  },
  listTokens: {
    method: "GET",
    path: "/account/tokens",
    summary: "List tokens",
    description:
      "Those made from the caller, directly or not. Owners with the scope account see all tokens of the workspace, and people those they made. Identity tokens are not listed.",
    query: AccountTokenQuery,
    answers: { 200: answer(AccountTokenPage, "The tokens, ended ones too.") },
  },
  getToken: {
    method: "GET",
    path: "/account/tokens/{tokenId}",
    summary: "Get a token",
    description: "With what it has spent. A token can read itself.",
    params: tokenId,
    answers: { 200: answer(AccountToken, "The token.") },
  },
  revokeToken: {
    method: "DELETE",
    path: "/account/tokens/{tokenId}",
    role: "viewer",
    summary: "Revoke a token",
    description:
      "Also ends all tokens made from it, everywhere within a second. Revoking a revoked token changes nothing.",
    params: tokenId,
    answers: { 200: answer(AccountToken, "The revoked token.") },
  },
});
