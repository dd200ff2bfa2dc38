// Settings for signing in through an OpenID Connect issuer.
import { choiceSetting, listSetting, secretSetting, textSetting, urlSetting } from "./foundation/settings.ts";

const domainPattern = /^(?:\*|[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+)$/;

export const oidcSettings = {
  oidcIssuer: urlSetting({
    env: "ATELIER_OIDC_ISSUER",
    default: null,
    about:
      "The OpenID Connect issuer that people sign in with; the rest comes from its discovery document. Default: none.",
  }),
  oidcClientId: textSetting({
    env: "ATELIER_OIDC_CLIENT_ID",
    default: null,
    about:
      "This server's client id at the issuer. Register the redirect URI <platform URL>/sign-in/oidc/callback there.",
  }),
  oidcClientSecret: secretSetting({
    env: "ATELIER_OIDC_CLIENT_SECRET",
    default: null,
    about: "The client secret at the issuer. Leave it out for a public client, which only PKCE protects.",
  }),
  oidcName: textSetting({
    env: "ATELIER_OIDC_NAME",
    default: "single sign-on",
    about: "The issuer's name, as the sign-in button shows it.",
  }),
  oidcAllowedDomains: listSetting({
    env: "ATELIER_OIDC_ALLOWED_DOMAINS",
    default: [],
    item: (text) =>
      domainPattern.test(text) ? null : "is neither a domain in lower case such as studio.example nor *",
    about:
      "Email domains, verified by the issuer, whose people may sign in; * allows everyone the issuer signs in. The server does not start without this or ATELIER_OIDC_ALLOWED_SUBJECTS.",
  }),
  oidcAllowedSubjects: listSetting({
    env: "ATELIER_OIDC_ALLOWED_SUBJECTS",
    default: [],
    about: "Individual people who may sign in with any email address, by their sub claim.",
  }),
  oidcFirstRole: choiceSetting({
    env: "ATELIER_OIDC_FIRST_ROLE",
    default: "member",
    choices: ["member", "owner"],
    about: "The role of people who sign in with the issuer for the first time.",
  }),
  oidcFirstWorkspace: textSetting({
    env: "ATELIER_OIDC_FIRST_WORKSPACE",
    default: null,
    pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    shape: "a workspace's id",
    about: "The workspace that they join. Default: the oldest one.",
  }),
  oidcOperatorGroup: textSetting({
    env: "ATELIER_OIDC_OPERATOR_GROUP",
    default: null,
    about:
      "People with this group in their groups claim are operators, and all others are not, updated at each sign-in. Default: signing in changes nothing.",
  }),
} as const;
