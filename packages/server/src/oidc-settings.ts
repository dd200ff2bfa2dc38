// Settings for signing in through an OpenID Connect issuer.
import { choiceSetting, listSetting, secretSetting, textSetting, urlSetting } from "./foundation/settings.ts";

const domainPattern = /^(?:\*|[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+)$/;

export const oidcSettings = {
  oidcIssuer: urlSetting({
    env: "ATELIER_OIDC_ISSUER",
    default: null,
    about: "An OpenID Connect issuer at which people sign in; its discovery document says the rest. None if absent.",
  }),
  oidcClientId: textSetting({
    env: "ATELIER_OIDC_CLIENT_ID",
    default: null,
    about: "What the issuer knows this server as. Its redirect address there is <platform URL>/sign-in/oidc/callback.",
  }),
  oidcClientSecret: secretSetting({
    env: "ATELIER_OIDC_CLIENT_SECRET",
    default: null,
    about: "The client's secret at the issuer; absent for a public client, which PKCE alone protects.",
  }),
  oidcName: textSetting({
    env: "ATELIER_OIDC_NAME",
    default: "single sign-on",
    about: 'What people know the issuer by: the button says "Sign in with" and this.',
  }),
  oidcAllowedDomains: listSetting({
    env: "ATELIER_OIDC_ALLOWED_DOMAINS",
    default: [],
    item: (text) =>
      domainPattern.test(text) ? null : "is neither a domain in lower case such as studio.example nor *",
    about:
      "Domains of e-mail addresses, verified by the issuer, whose people may sign in; * lets in everybody whom the issuer signs in. Without this and ATELIER_OIDC_ALLOWED_SUBJECTS the server does not start.",
  }),
  oidcAllowedSubjects: listSetting({
    env: "ATELIER_OIDC_ALLOWED_SUBJECTS",
    default: [],
    about:
      "Single people who may sign in, by the issuer's own name for them (the claim sub), whatever their address is.",
  }),
  oidcFirstRole: choiceSetting({
    env: "ATELIER_OIDC_FIRST_ROLE",
    default: "member",
    choices: ["member", "owner"],
    about: "The role of a person who signs in at the issuer for the first time.",
  }),
  oidcFirstWorkspace: textSetting({
    env: "ATELIER_OIDC_FIRST_WORKSPACE",
    default: null,
    pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    shape: "a workspace's id",
    about: "The workspace that they join; the oldest one if absent.",
  }),
  oidcOperatorGroup: textSetting({
    env: "ATELIER_OIDC_OPERATOR_GROUP",
    default: null,
    about:
      "Who has this in the claim groups is an operator, and who has not is none, from each sign-in on. Absent: signing in changes neither.",
  }),
} as const;
