// Signing in and out: the pages of the key site (spec, Authentication 7), OpenID Connect, and the tokens and public keys of the
// embedded identity issuer.
import { Type } from "typebox";
import { EmptyBody, KeySet, PlainForm, SignInLook } from "../account-operations.ts";
import { headerName } from "../headers.ts";
import { type AnswerShape, type BodyShape, operationTable } from "../operation.ts";
import { answer, emptyAnswer, genericFault, genericFaults, jsonBody, rawAnswer } from "./answers.ts";
import { tags } from "./tags.ts";

const signInToken = Type.Object({ token: Type.String({ description: "The one-time token of the link." }) });

const page = (description: string) => rawAnswer("text/html; charset=utf-8", description, [headerName.cacheControl]);
const form = (schema: BodyShape["schema"]): BodyShape => ({
  contentType: "application/x-www-form-urlencoded",
  schema,
  required: true,
});
const seeOther = emptyAnswer("Done. Continue at Location.", [headerName.location]);
// A fault is a page in a browser, and JSON for a client that asks for JSON.
const fault = (description: string) => ({ ...page(description), bytesContentTypes: ["application/json"] });
const ourFaults = { 500: fault("The server failed."), 503: fault("The service is unavailable right now.") };
const pageFaults = {
  400: fault("The form is incomplete."),
  403: fault("The form was not submitted from this server's own page."),
  413: fault("The form is too large."),
  429: fault("Too many attempts."),
  ...ourFaults,
};
// JSON for a client that asks for it, a page for a browser.
const orPage = <Shape extends AnswerShape>(shape: Shape) => ({
  ...shape,
  bytesContentTypes: ["text/html; charset=utf-8"],
});
const linkFaults = {
  404: orPage(genericFault[404]),
  429: orPage(genericFault[429]),
  500: orPage(genericFault[500]),
  503: orPage(genericFault[503]),
};
const signedOut = { 401: fault("Signed out. The page explains how to sign in."), ...ourFaults };

// Operations need a key unless they say otherwise.
const common = { tag: tags.account, access: "key" } as const;

export const signInOperations = operationTable(common, {
  getKeySet: {
    method: "GET",
    path: "/.well-known/jwks.json",
    summary: "Get the public keys of the identity issuer",
    access: "public",
    answers: { 200: answer(KeySet, "The keys.", [headerName.cacheControl]), ...genericFaults(429, 500, 503) },
  },
  showSignIn: {
    method: "GET",
    path: "/sign-in",
    summary: "The sign-in page",
    access: "public",
    answers: { 200: page("How to get a sign-in link."), ...ourFaults },
  },
  beginOidcSignIn: {
    method: "GET",
    path: "/sign-in/oidc",
    summary: "Sign in at the OpenID Connect issuer",
    description:
      "For browsers: redirects to the issuer and sets a cookie that the callback needs. If that fails, the browser is sent to the sign-in page, which says why. 503: the issuer cannot be reached. 404: no issuer is configured.",
    access: "public",
    query: Type.Object({
      return_to: Type.Optional(
        Type.String({
          description: "The path on this server to return to. Anything else falls back to the start page.",
        }),
      ),
    }),
    answers: { 302: emptyAnswer("Continue at the issuer.", [headerName.location]), 303: seeOther, ...linkFaults },
  },
  finishOidcSignIn: {
    method: "GET",
    path: "/sign-in/oidc/callback",
    summary: "Callback of the OpenID Connect issuer",
    description:
      "Takes the issuer's response from the browser that started the sign-in. Sets the session cookie and redirects to where the person was going, or to the sign-in page, which says why it failed. On 403, details.sign_in gives the reason.",
    access: "public",
    answers: { 303: seeOther, ...linkFaults, 403: orPage(genericFault[403]) },
  },
  confirmSignIn: {
    method: "GET",
    path: "/sign-in/{token}",
    summary: "Open a sign-in link",
    description:
      "As JSON: who would be signed in, and until when the link works. Does not use up the link, so link previews do no harm. On 404, details.link says whether the link is unknown, used or expired.",
    access: "public",
    params: signInToken,
    answers: { 200: orPage(answer(SignInLook, "What the link would do.", [headerName.cacheControl])), ...linkFaults },
  },
  signIn: {
    method: "POST",
    path: "/sign-in/{token}",
    summary: "Sign in with a link",
    description:
      "Only accepted from this server's own page: as its form, or as the JSON body {}, which returns 204. Both set the session cookie.",
    access: "public",
    params: signInToken,
    body: form(PlainForm),
    answers: {
      204: emptyAnswer("Signed in."),
      303: seeOther,
      ...linkFaults,
      400: orPage(genericFault[400]),
      403: orPage(genericFault[403]),
      413: orPage(genericFault[413]),
    },
  },
  showApiKeys: {
    method: "GET",
    path: "/profile/api-keys",
    summary: "The API keys page",
    description: "Serves the console, which loads the keys through the API.",
    access: "public",
    answers: { 200: page("The console."), ...ourFaults },
  },
  signOut: {
    method: "POST",
    path: "/profile/sign-out",
    role: "viewer",
    summary: "Sign out",
    description: "Only accepted from this server's own page. Clears the cookie.",
    access: "session",
    body: jsonBody(EmptyBody, false),
    answers: { 204: emptyAnswer("Signed out."), ...signedOut, ...pageFaults },
  },
});
