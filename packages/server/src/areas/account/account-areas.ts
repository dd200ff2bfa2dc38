// The account's three areas, which differ in who may enter. The API requires a key, a token or a session; the pages admit
// people who are signed out, since signing in is one of them; the issuer's public keys are for everyone. Each answers under its
// own prefixes.
import { type Area, type Arrival, area, type BytesAnswer, type DepsOf, routesOf } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";
import { type AccountCaller, readAccountCaller } from "./account-caller.ts";
import * as alerts from "./figures/alerts.route.ts";
import * as budgets from "./figures/budgets.route.ts";
import * as credits from "./figures/credits.route.ts";
import * as jobCosts from "./figures/job-costs.route.ts";
import * as usage from "./figures/usage.route.ts";
import * as usageFigures from "./figures/usage-figures.route.ts";
import * as gallery from "./gallery.route.ts";
import * as accountModels from "./list-account-models.route.ts";
import * as keyLimits from "./people/key-limits.route.ts";
import * as keys from "./people/keys.route.ts";
import * as members from "./people/members.route.ts";
import * as person from "./people/person.route.ts";
import * as profile from "./people/profile.route.ts";
import * as providerCredentials from "./people/provider-credentials.route.ts";
import * as retention from "./people/retention.route.ts";
import * as routes from "./people/routes.route.ts";
import * as serviceAccounts from "./people/service-accounts.route.ts";
import * as tokens from "./people/tokens.route.ts";
import * as workspaceMove from "./people/workspace-move.route.ts";
import * as workspaces from "./people/workspaces.route.ts";
import * as queue from "./queue.route.ts";
import * as findThings from "./requests/find-things.route.ts";
import * as jobOutputs from "./requests/job-outputs.route.ts";
import * as modelOutputs from "./requests/model-outputs.route.ts";
import * as playgroundRuns from "./requests/playground-runs.route.ts";
import * as requestBodies from "./requests/request-bodies.route.ts";
import * as requests from "./requests/requests.route.ts";
import * as selling from "./selling/selling.route.ts";
import { getKeySetRoute } from "./signing-in/key-set.route.ts";
import * as oidc from "./signing-in/oidc.route.ts";
import { oidcCookie } from "./signing-in/oidc-cookie.ts";
import { pageEnvelope } from "./signing-in/page.ts";
import type { IsOwnOrigin } from "./signing-in/request-origin.ts";
import { sessionCookie } from "./signing-in/session-cookie.ts";
import * as sessions from "./signing-in/sessions.route.ts";
import * as signIn from "./signing-in/sign-in.route.ts";
import { readVisitor, type Visitor } from "./signing-in/visitor.ts";
import * as webhookEndpoints from "./webhook-endpoints.route.ts";
import * as webhooks from "./webhooks.route.ts";
import * as savedWorkflows from "./workflows/saved-workflows.route.ts";
import * as templates from "./workflows/templates.route.ts";
import * as workflowForm from "./workflows/workflow-form.route.ts";
import * as workflowVersions from "./workflows/workflow-versions.route.ts";
import * as workLinks from "./works/work-links.route.ts";
import * as workVersions from "./works/work-versions.route.ts";
import * as works from "./works/works.route.ts";

// The route files whose handlers take what the area is given, as it is.
const files = [
  ...[workspaces, keys, keyLimits, serviceAccounts, members, tokens, workspaceMove, retention, providerCredentials],
  ...[credits, budgets, alerts, usage, usageFigures, jobCosts, selling],
  ...[requests, requestBodies, playgroundRuns, jobOutputs, modelOutputs, findThings, gallery],
  ...[webhooks, webhookEndpoints, accountModels, routes, queue, templates],
] as const;

export interface AccountDeps extends DepsOf<typeof files> {
  // Workflows that the workspace keeps, and the jobs that ran them.
  readonly saved: Pick<savedWorkflows.SavedWorkflowDeps, "savedWorkflows" | "runs" | "poolId" | "saves">;
  // Works that the workspace publishes.
  readonly works: Pick<workLinks.WorkLinkDeps, "works" | "savedWorkflows" | "bodies" | "links" | "pageUrl">;
  readonly personalData: person.PersonRouteDeps["personalData"];
  readonly isHttps: boolean;
  // Signing in through an issuer. Null if none is configured.
  readonly oidc: oidc.OidcSignIn | null;
  // The console's document, in which a browser sees the pages of this area.
  readonly showConsole: (arrival: Pick<Arrival, "headers" | "path">) => Promise<BytesAnswer>;
  readonly isOwnOrigin: IsOwnOrigin;
  // Called for every authenticated API request. Throws rate_limited.
  readonly admit?: (caller: AccountCaller) => void | Promise<void>;
}

export function accountAreas(deps: AccountDeps): Area[] {
  const cookie = sessionCookie(deps.isHttps);
  const pageDeps = { ...deps, cookie };
  return [
    area<AccountCaller>({
      name: "account",
      prefixes: ["/account"],
      authenticate: (arrival) => readAccountCaller(pageDeps, arrival),
      flowOf: (caller) => caller.principal.workspaceId,
      ...(deps.admit === undefined ? {} : { admit: deps.admit }),
      envelope: genericEnvelope,
      cors: "listed",
      routes: [
        ...routesOf(deps, ...files),
        ...routesOf(pageDeps, person, sessions),
        ...routesOf({ ...deps, ...deps.saved }, savedWorkflows, workflowVersions),
        ...routesOf({ ...deps, ...deps.works }, works, workVersions, workLinks, workflowForm),
      ],
    }),
    area<Visitor>({
      name: "account-pages",
      prefixes: ["/sign-in", "/profile"],
      authenticate: (arrival) => readVisitor(pageDeps, arrival),
      envelope: pageEnvelope,
      cors: "listed",
      routes: [
        ...routesOf({ ...pageDeps, flowCookie: oidcCookie(deps.isHttps) }, oidc),
        ...routesOf(pageDeps, signIn, profile),
      ],
    }),
    area<unknown>({
      name: "well-known",
      prefixes: ["/.well-known"],
      authenticate: null,
      envelope: genericEnvelope,
      cors: "listed",
      routes: [getKeySetRoute(deps.identity.issuer)],
    }),
  ];
}
