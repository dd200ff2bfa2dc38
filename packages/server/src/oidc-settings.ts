// Settings for signing in: through an OpenID Connect issuer, and how long it counts as fresh.
import { installationRoles, workspaceRoles } from "@atelier/contract";
import type { GroupRule } from "./capabilities/identity/index.ts";
import { parseId } from "./foundation/ids.ts";
import {
  choiceSetting,
  integerSetting,
  listSetting,
  secretSetting,
  textSetting,
  urlSetting,
} from "./foundation/settings.ts";

const domainPattern = /^(?:\*|[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+)$/;

// <group>=<role> or <group>=<role>@<workspace id>. A group's name may contain "=" and "@".
export function readGroupRule(text: string): GroupRule | null {
  const [, group, name, id] = /^(.+)=([a-z]+)(?:@([0-9a-f-]{36}))?$/.exec(text) ?? [];
  const role = [...workspaceRoles, ...installationRoles].find((one) => one === name);
  const workspaceId = id === undefined ? null : parseId<"workspace">(id);
  if (group === undefined || role === undefined || (id !== undefined && workspaceId === null)) return null;
  if (id !== undefined && installationRoles.some((one) => one === role)) return null;
  return { group, role, workspaceId };
}

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
    choices: ["member", "viewer", "billing", "owner"],
    about: "The role of people who sign in with the issuer for the first time.",
  }),
  oidcFirstWorkspace: textSetting({
    env: "ATELIER_OIDC_FIRST_WORKSPACE",
    default: null,
    pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    shape: "a workspace's id",
    about: "The workspace that they join. Default: the oldest one.",
  }),
  oidcGroupsClaim: textSetting({
    env: "ATELIER_OIDC_GROUPS_CLAIM",
    default: "groups",
    about:
      "The claim with a person's groups, a list of texts. With dots: a path into an object, as realm_access.roles.",
  }),
  oidcGroupRoles: listSetting({
    env: "ATELIER_OIDC_GROUP_ROLES",
    default: [],
    item: (text) =>
      readGroupRule(text) === null
        ? "is not <group>=<role> with the role viewer, member, billing or owner (of the first workspace, or of another one after @), auditor or operator"
        : null,
    about:
      "Roles that groups give at each sign-in and take away at the first one without the group, as designers=member,finance=billing@<workspace id>,it=operator.",
  }),
  oidcOperatorGroup: textSetting({
    env: "ATELIER_OIDC_OPERATOR_GROUP",
    default: null,
    about: "The same as <group>=operator in ATELIER_OIDC_GROUP_ROLES.",
  }),
  freshSignInMinutes: integerSetting({
    env: "ATELIER_FRESH_SIGN_IN_MINUTES",
    default: 15,
    min: 1,
    max: 1440,
    about:
      "How long after signing in a person may take dangerous steps, such as removing an owner; later they are asked to sign in again.",
  }),
} as const;
