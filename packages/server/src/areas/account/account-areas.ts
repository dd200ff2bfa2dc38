// The account's three areas, which differ in who may enter. The API requires a key, a token or a session; the pages admit
// people who are signed out, since signing in is one of them; the issuer's public keys are for everyone. Each answers under its
// own prefixes.
import type { Budgets, Credits, KeyCaps, Usage } from "../../capabilities/calls/index.ts";
import type { Identity, KeyRing } from "../../capabilities/identity/index.ts";
import type { JobQueue } from "../../capabilities/jobs/index.ts";
import type { OwnCredentials } from "../../capabilities/own-credentials/index.ts";
import type { Webhooks } from "../../capabilities/webhooks/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import { type Area, type Arrival, area, type BytesAnswer } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";
import { type AccountCaller, readAccountCaller } from "./account-caller.ts";
import { type AlertRouteDeps, alertRoutes } from "./figures/alerts.route.ts";
import { budgetRoutes } from "./figures/budgets.route.ts";
import { creditRoutes } from "./figures/credits.route.ts";
import { type JobCostDeps, jobCostRoutes } from "./figures/job-costs.route.ts";
import { usageRoutes } from "./figures/usage.route.ts";
import { usageFigureRoutes } from "./figures/usage-figures.route.ts";
import { type GalleryDeps, galleryRoutes } from "./gallery.route.ts";
import { type AccountModelDeps, listAccountModelsRoute } from "./list-account-models.route.ts";
import { type KeyLimitDeps, keyLimitRoutes } from "./people/key-limits.route.ts";
import { keyRoutes } from "./people/keys.route.ts";
import { memberRoutes } from "./people/members.route.ts";
import { type PersonRouteDeps, personRoutes } from "./people/person.route.ts";
import { profilePages } from "./people/profile.route.ts";
import { providerCredentialRoutes } from "./people/provider-credentials.route.ts";
import { type RetentionDeps, retentionRoutes } from "./people/retention.route.ts";
import { type RouteDeps, routeRoutes } from "./people/routes.route.ts";
import { serviceAccountRoutes } from "./people/service-accounts.route.ts";
import { tokenRoutes } from "./people/tokens.route.ts";
import { type WorkspaceMoveDeps, workspaceMoveRoutes } from "./people/workspace-move.route.ts";
import { workspaceRoutes } from "./people/workspaces.route.ts";
import { queueRoutes } from "./queue.route.ts";
import { findThingsRoute } from "./requests/find-things.route.ts";
import type { FindDeps } from "./requests/find-things.ts";
import { deleteJobOutputRoute, type JobOutputDeps } from "./requests/job-outputs.route.ts";
import { keepModelOutputRoute, type ModelOutputDeps } from "./requests/model-outputs.route.ts";
import { type PlaygroundRunDeps, playgroundRunRoutes } from "./requests/playground-runs.route.ts";
import { type RequestBodyDeps, requestBodyRoutes } from "./requests/request-bodies.route.ts";
import { getAccountRequestRoute, listErrorAnswersRoute } from "./requests/requests.route.ts";
import type { RequestTrails } from "./requests/show-request.ts";
import { type SellingRouteDeps, sellingRoutes } from "./selling/selling.route.ts";
import { getKeySetRoute } from "./signing-in/key-set.route.ts";
import { type OidcSignIn, oidcRoutes } from "./signing-in/oidc.route.ts";
import { oidcCookie } from "./signing-in/oidc-cookie.ts";
import { pageEnvelope } from "./signing-in/page.ts";
import type { IsOwnOrigin } from "./signing-in/request-origin.ts";
import { sessionCookie } from "./signing-in/session-cookie.ts";
import { sessionRoutes } from "./signing-in/sessions.route.ts";
import { signInPages } from "./signing-in/sign-in.route.ts";
import { readVisitor, type Visitor } from "./signing-in/visitor.ts";
import { webhookEndpointRoutes } from "./webhook-endpoints.route.ts";
import { webhookRoutes } from "./webhooks.route.ts";
import { type SavedWorkflowDeps, savedWorkflowRoutes } from "./workflows/saved-workflows.route.ts";
import { type TemplateDeps, templateRoutes } from "./workflows/templates.route.ts";
import { workflowFormRoutes } from "./workflows/workflow-form.route.ts";
import { workflowVersionRoutes } from "./workflows/workflow-versions.route.ts";
import { type WorkLinkDeps, workLinkRoutes } from "./works/work-links.route.ts";
import { workVersionRoutes } from "./works/work-versions.route.ts";
import { workRoutes } from "./works/works.route.ts";

export interface AccountDeps {
  readonly identity: Identity;
  readonly clock: Clock;
  readonly keyRing: KeyRing;
  readonly cursors: Cursors;
  readonly credits: Credits;
  readonly keyCaps: KeyCaps;
  readonly callLimits: KeyLimitDeps["callLimits"];
  readonly budgets: Budgets;
  readonly usage: Usage;
  readonly oddSpending: AlertRouteDeps["oddSpending"];
  readonly mail: AlertRouteDeps["mail"];
  readonly webhooks: Webhooks;
  readonly ownCredentials: OwnCredentials;
  readonly routes: RouteDeps["routes"];
  readonly queue: JobQueue;
  // What other modules know about a call or an id.
  readonly trails: RequestTrails;
  readonly jobOutputs: JobOutputDeps["jobOutputs"];
  readonly gallery: GalleryDeps["gallery"];
  readonly finding: FindDeps["finding"];
  // What jobs were charged, and what graphs would cost.
  readonly charges: JobCostDeps["charges"];
  readonly estimate: JobCostDeps["estimate"];
  // The models that the workspace can call, presented for people to choose from.
  readonly models: AccountModelDeps["models"];
  // Workflows that the workspace keeps, and the jobs that ran them.
  readonly saved: Pick<SavedWorkflowDeps, "savedWorkflows" | "runs" | "poolId" | "saves">;
  // Workflows that the operator offers to start from.
  readonly templates: TemplateDeps["templates"];
  readonly servedTo: TemplateDeps["servedTo"];
  // Works that the workspace publishes.
  readonly works: Pick<WorkLinkDeps, "works" | "savedWorkflows" | "bodies" | "links" | "pageUrl">;
  readonly personalData: PersonRouteDeps["personalData"];
  // What people ran in the playground.
  readonly playgroundRuns: PlaygroundRunDeps["playgroundRuns"];
  // What the workspace keeps of its calls.
  readonly requestBodies: RequestBodyDeps["requestBodies"];
  // How long it keeps its files and its history.
  readonly moves: WorkspaceMoveDeps["moves"];
  readonly countOpen: WorkspaceMoveDeps["countOpen"];
  readonly selling: SellingRouteDeps["selling"];
  readonly invoiceSeller: SellingRouteDeps["invoiceSeller"];
  readonly retention: RetentionDeps["retention"];
  // What models made, fetched from the URLs in their answers.
  readonly outputs: ModelOutputDeps["outputs"];
  // The URL of the key site, without a trailing slash. A function, because the port may be known late.
  readonly platformUrl: () => string;
  readonly isHttps: boolean;
  // Signing in through an issuer. Null if none is configured.
  readonly oidc: OidcSignIn | null;
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
      authenticate: (arrival) => readAccountCaller({ ...deps, cookie }, arrival),
      flowOf: (caller) => caller.principal.workspaceId,
      ...(deps.admit === undefined ? {} : { admit: deps.admit }),
      envelope: genericEnvelope,
      cors: "listed",
      routes: [
        ...workspaceRoutes(deps),
        ...keyRoutes(deps),
        ...keyLimitRoutes(deps),
        ...serviceAccountRoutes(deps),
        ...memberRoutes(deps),
        ...personRoutes({ ...deps, cookie }),
        ...creditRoutes(deps),
        ...budgetRoutes(deps),
        ...alertRoutes(deps),
        ...usageRoutes(deps),
        ...usageFigureRoutes(deps),
        getAccountRequestRoute(deps),
        listErrorAnswersRoute(deps),
        ...requestBodyRoutes(deps),
        ...retentionRoutes(deps),
        ...workspaceMoveRoutes(deps),
        ...sellingRoutes(deps),
        ...playgroundRunRoutes(deps),
        ...jobCostRoutes(deps),
        deleteJobOutputRoute(deps),
        ...galleryRoutes(deps),
        findThingsRoute(deps),
        listAccountModelsRoute(deps),
        keepModelOutputRoute(deps),
        ...webhookRoutes(deps),
        ...webhookEndpointRoutes(deps),
        ...providerCredentialRoutes(deps),
        ...routeRoutes(deps),
        ...queueRoutes(deps),
        ...savedWorkflowRoutes({ ...deps, ...deps.saved }),
        ...workflowVersionRoutes({ ...deps, ...deps.saved }),
        ...templateRoutes(deps),
        ...workflowFormRoutes(deps.works),
        ...workRoutes({ ...deps, ...deps.works }),
        ...workVersionRoutes({ ...deps, ...deps.works }),
        ...workLinkRoutes({ ...deps, ...deps.works }),
        ...sessionRoutes({ ...deps, cookie }),
        ...tokenRoutes(deps),
      ],
    }),
    area<Visitor>({
      name: "account-pages",
      prefixes: ["/sign-in", "/profile"],
      authenticate: (arrival) => readVisitor({ ...deps, cookie }, arrival),
      envelope: pageEnvelope,
      cors: "listed",
      routes: [
        ...oidcRoutes({ ...pageDeps, flowCookie: oidcCookie(deps.isHttps) }),
        ...signInPages(pageDeps),
        ...profilePages(pageDeps),
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
