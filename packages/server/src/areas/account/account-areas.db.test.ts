// Every route of the account with its guard, listed once: a new route, or one that loses its guard, fails here.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { aSite, type Site } from "./account.fixture.ts";

let site: Site;
before(async () => {
  site = await aSite();
});
after(() => site.close());

const guards: Record<string, string> = {
  "GET /account": "key",
  "GET /account/keys": "key",
  "POST /account/keys": "key",
  "DELETE /account/keys/{keyId}": "key",
  "POST /account/keys/{keyId}/rotation": "key",
  "GET /account/person": "key",
  "DELETE /account/person": "key",
  "GET /account/service-accounts": "key",
  "POST /account/service-accounts": "key",
  "DELETE /account/service-accounts/{accountId}": "key",
  "GET /account/keys/{keyId}/caps": "key",
  "PUT /account/keys/{keyId}/caps": "key",
  "GET /account/credits": "key",
  "GET /account/credits/lines": "key",
  "GET /account/budgets": "key",
  "GET /account/budgets/{name}": "key",
  "PUT /account/budgets/{name}": "key",
  "DELETE /account/budgets/{name}": "key",
  "GET /account/usage": "key",
  "GET /account/usage/daily": "key",
  "GET /account/usage/export": "key",
  "GET /account/usage/series": "key",
  "GET /account/errors": "key",
  "GET /account/error-answers": "key",
  "GET /account/requests/{requestId}/bodies": "key",
  "GET /account/workspaces/{workspaceId}/request-bodies": "key",
  "PUT /account/workspaces/{workspaceId}/request-bodies": "key",
  "GET /account/workspaces/{workspaceId}/retention": "key",
  "PUT /account/workspaces/{workspaceId}/retention": "key",
  "POST /account/workspaces/{workspaceId}/retention/estimate": "key",
  "GET /account/workspaces/{workspaceId}/move": "key",
  "PUT /account/workspaces/{workspaceId}/move": "key",
  "DELETE /account/workspaces/{workspaceId}/move": "key",
  "GET /account/plans": "key",
  "GET /account/invoices": "key",
  "GET /account/invoices/{invoiceId}": "key",
  "GET /account/invoices/{invoiceId}/pdf": "key",
  "GET /account/alerts": "key",
  "GET /account/mails": "key",
  "PUT /account/alerts/mail": "key",
  "PUT /account/alerts/odd-spending": "key",
  "PATCH /account/keys/{keyId}": "key",
  "GET /account/keys/{keyId}/limits": "key",
  "PUT /account/keys/{keyId}/limits": "key",
  "PUT /account/workflows/{workflowId}/form": "key",
  "GET /account/playground-runs": "key",
  "POST /account/playground-runs": "key",
  "DELETE /account/playground-runs": "key",
  "DELETE /account/playground-runs/{runId}": "key",
  "GET /account/models": "key",
  "GET /account/models/stats": "key",
  "GET /account/models/works": "key",
  "GET /account/templates": "key",
  "GET /account/templates/{name}": "key",
  "GET /account/templates/{name}/estimate": "key",
  "GET /account/templates/{name}/picture": "key",
  "GET /account/jobs/charges": "key",
  "GET /account/jobs/{jobId}/charges": "key",
  "DELETE /account/jobs/{jobId}/outputs/{assetId}": "key",
  "GET /account/gallery": "key",
  "GET /account/assets/{assetId}/note": "key",
  "PUT /account/assets/{assetId}/note": "key",
  "POST /account/estimates": "key",
  "GET /account/webhooks/targets": "key",
  "PUT /account/webhooks/targets": "key",
  "POST /account/workspaces/{workspaceId}/members/{personId}/sign-in-link": "key",
  "GET /account/requests/{requestId}": "key",
  "GET /account/find": "key",
  "POST /account/model-outputs": "key",
  "GET /account/provider-credentials": "key",
  "PUT /account/provider-credentials/{provider}": "key",
  "DELETE /account/provider-credentials/{provider}": "key",
  "GET /account/routes": "key",
  "GET /account/routes/{name}": "key",
  "PUT /account/routes/{name}": "key",
  "DELETE /account/routes/{name}": "key",
  "GET /account/webhooks/endpoints": "key",
  "POST /account/webhooks/endpoints": "key",
  "GET /account/webhooks/endpoints/{endpointId}": "key",
  "PATCH /account/webhooks/endpoints/{endpointId}": "key",
  "DELETE /account/webhooks/endpoints/{endpointId}": "key",
  "POST /account/webhooks/endpoints/{endpointId}/test": "key",
  "POST /account/webhooks/endpoints/{endpointId}/secrets": "key",
  "POST /account/webhooks/endpoints/{endpointId}/pause": "key",
  "POST /account/webhooks/endpoints/{endpointId}/resume": "key",
  "GET /account/webhooks/deliveries": "key",
  "GET /account/webhooks/deliveries/{deliveryId}": "key",
  "POST /account/webhooks/deliveries/{deliveryId}/redeliver": "key",
  "POST /account/webhooks/test": "key",
  "GET /account/webhooks/receivers": "key",
  "GET /account/webhooks/secrets": "key",
  "POST /account/webhooks/secrets": "key",
  "GET /account/workspaces": "key",
  "POST /account/workspaces": "key",
  "PATCH /account/workspaces/{workspaceId}": "key",
  "GET /account/workspaces/{workspaceId}/members": "key",
  "POST /account/workspaces/{workspaceId}/members": "key",
  "PATCH /account/workspaces/{workspaceId}/members/{personId}": "key",
  "DELETE /account/workspaces/{workspaceId}/members/{personId}": "key",
  "GET /account/workflows": "key",
  "POST /account/workflows": "key",
  "GET /account/workflows/{workflowId}": "key",
  "PATCH /account/workflows/{workflowId}": "key",
  "DELETE /account/workflows/{workflowId}": "key",
  "POST /account/workflows/{workflowId}/duplicate": "key",
  "GET /account/workflows/{workflowId}/versions": "key",
  "POST /account/workflows/{workflowId}/versions": "key",
  "GET /account/workflows/{workflowId}/versions/{version}/document": "key",
  "GET /account/workflows/{workflowId}/diff": "key",
  "GET /account/workflows/{workflowId}/form": "key",
  "GET /account/works": "key",
  "PUT /account/works/{name}": "key",
  "GET /account/works/{name}": "key",
  "PATCH /account/works/{name}": "key",
  "DELETE /account/works/{name}": "key",
  "GET /account/works/{name}/versions": "key",
  "GET /account/works/{name}/versions/{version}": "key",
  "GET /account/works/{name}/diff": "key",
  "POST /account/works/{name}/links": "key",
  "GET /account/works/{name}/links": "key",
  "DELETE /account/works/{name}/links/{linkId}": "key",
  "GET /account/queue": "key",
  "PUT /account/queue": "key",
  "GET /account/sessions": "key",
  "DELETE /account/sessions": "key",
  "DELETE /account/sessions/{sessionId}": "key",
  "PUT /account/session": "session",
  "POST /account/tokens": "key",
  "GET /account/tokens": "key",
  "GET /account/tokens/{tokenId}": "key",
  "DELETE /account/tokens/{tokenId}": "key",
  "GET /sign-in/oidc": "public",
  "GET /sign-in/oidc/callback": "public",
  "GET /sign-in": "public",
  "GET /sign-in/{token}": "public",
  "POST /sign-in/{token}": "public",
  "GET /profile/api-keys": "public",
  "POST /profile/sign-out": "session",
  "GET /.well-known/jwks.json": "public",
};

test("the routes and their guards are exactly the written ones", () => {
  const routes = site.areas.flatMap((area) => area.routes.map(({ operation }) => operation));
  assert.deepEqual(Object.fromEntries(routes.map(({ method, path, access }) => [`${method} ${path}`, access])), guards);
});

for (const [route, guard] of Object.entries(guards)) {
  const [method = "", path = ""] = route.split(" ");
  test(`${route} without a credential ${guard === "public" ? "is served" : "is 401"}`, async () => {
    const filled = path.replaceAll(/\{\w+\}/g, "019a0000-0000-7000-8000-000000000000");
    const answer = await site.call({ method, path: filled, peer: `192.0.2.${Object.keys(guards).indexOf(route)}` });
    if (guard === "public") assert.notEqual(answer.status, 401);
    else assert.equal(answer.status, 401);
  });
}

test("an unknown path of the API is 401 before it is 404", async () => {
  assert.equal((await site.call({ path: "/account/nothing" })).status, 401);
  const known = await site.call({ path: "/account/nothing", headers: { "x-api-key": site.key } });
  assert.deepEqual([known.status, known.json()["error"]], [404, "not_found"]);
});

test("only the area of the public keys has no authentication at all", () => {
  const open = site.areas.filter((area) => area.authenticate === null).map((area) => area.name);
  assert.deepEqual(open, ["well-known"]);
});

test("the public keys verify our tokens and hold nothing private", async () => {
  const answer = await site.call({ path: "/.well-known/jwks.json" });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.json(), site.identity.issuer.jwks());
  assert.doesNotMatch(answer.text, /"d":/);
});
