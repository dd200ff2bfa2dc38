// Signing in and out: the pages of the key site (spec, Authentication 7), OpenID Connect, and the tokens and public keys of the
// embedded identity issuer.
import { Type } from "typebox";
import { EmptyBody, IdentityToken, KeySet, PlainForm, SignInLook } from "../account-operations.ts";
import { headerName } from "../headers.ts";
import { type AnswerShape, type BodyShape, operationTable } from "../operation.ts";
import { answer, emptyAnswer, genericFault, genericFaults, jsonBody, rawAnswer } from "./answers.ts";
import { tags } from "./tags.ts";

const signInToken = Type.Object({ token: Type.String({ description: "The one-time token of the link." }) });

const read = genericFaults(401, 403, 429, 500, 503);

const page = (description: string) => rawAnswer("text/html; charset=utf-8", description, [headerName.cacheControl]);
const form = (schema: BodyShape["schema"]): BodyShape => ({
  contentType: "application/x-www-form-urlencoded",
  schema,
  required: true,
});
const seeOther = emptyAnswer("Done; go on at Location.", [headerName.location]);
// A fault is a page in a browser, and JSON for a client that asks for JSON.
const fault = (description: string) => ({ ...page(description), bytesContentTypes: ["application/json"] });
const ourFaults = { 500: fault("Something went wrong on our side."), 503: fault("It cannot be done now.") };
const pageFaults = {
  400: fault("The form is not complete."),
  403: fault("The form is not from our own page."),
  413: fault("The form is above the cap."),
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
const signedOut = { 401: fault("Signed out; the page says how to sign in."), ...ourFaults };

// Operations need a key unless they say otherwise.
const common = { tag: tags.account, access: "key" } as const;

export const signInOperations = operationTable(common, {
  createIdentityToken: {
    method: "POST",
    path: "/account/tokens",
    summary: "Get a cloud identity token",
    description: "For a person who signed in with a browser: a JWT for the workspace the session looks at.",
    access: "session",
    answers: { 201: answer(IdentityToken, "The token.", [headerName.cacheControl]), ...read },
  },
  getKeySet: {
    method: "GET",
    path: "/.well-known/jwks.json",
    summary: "Read the public keys of the identity issuer",
    access: "public",
    answers: { 200: answer(KeySet, "The keys.", [headerName.cacheControl]), ...genericFaults(429, 500, 503) },
  },
  showSignIn: {
    method: "GET",
    path: "/sign-in",
    summary: "The page that says how to sign in",
    access: "public",
    answers: { 200: page("How to get a sign-in link."), ...ourFaults },
  },
  beginOidcSignIn: {
    method: "GET",
    path: "/sign-in/oidc",
    summary: "Sign in at the OpenID Connect issuer",
    description:
      "For browsers: leads to the issuer, with a cookie that the way back needs. A browser that cannot be led there goes on at the sign-in page, which says why; 503: the issuer is away. 404: none is set.",
    access: "public",
    query: Type.Object({
      return_to: Type.Optional(
        Type.String({ description: "A path of this server to go on at; anything else is its first page." }),
      ),
    }),
    answers: { 302: emptyAnswer("Go on at the issuer.", [headerName.location]), 303: seeOther, ...linkFaults },
  },
  finishOidcSignIn: {
    method: "GET",
    path: "/sign-in/oidc/callback",
    summary: "Come back from the OpenID Connect issuer",
    description:
      "The issuer's answer, from the browser that asked for it. Sets the session's cookie and goes on where the person was going; otherwise at the sign-in page, which says why. 403 says in details.sign_in what it was.",
    access: "public",
    answers: { 303: seeOther, ...linkFaults, 403: orPage(genericFault[403]) },
  },
  confirmSignIn: {
    method: "GET",
    path: "/sign-in/{token}",
    summary: "The page behind a sign-in link",
    description:
      "For whom JSON is asked: who would be signed in, and until when. Uses nothing up, so that previews of the link do no harm. 404 says in details.link whether it is unknown, used or expired.",
    access: "public",
    params: signInToken,
    answers: { 200: orPage(answer(SignInLook, "What the link would do.", [headerName.cacheControl])), ...linkFaults },
  },
  signIn: {
    method: "POST",
    path: "/sign-in/{token}",
    summary: "Sign in with a link",
    description:
      "From our own page only: its form, or the JSON body {}, which is answered 204. Both set the session's cookie.",
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
    summary: "The page of the workspace's API keys",
    description: "The console, which asks for the keys like any other program.",
    access: "public",
    answers: { 200: page("The console."), ...ourFaults },
  },
  signOut: {
    method: "POST",
    path: "/profile/sign-out",
    summary: "Sign out",
    description: "From our own page only. Clears the cookie.",
    access: "session",
    body: jsonBody(EmptyBody, false),
    answers: { 204: emptyAnswer("Signed out."), ...signedOut, ...pageFaults },
  },
});
