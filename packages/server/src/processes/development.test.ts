import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageProblem } from "../foundation/settings.ts";
import { isDevelopment, reachWarnings, requireDevelopmentTargets } from "./development.ts";
import { drainSecondsOf } from "./drain-seconds.ts";

test("development is loopback without a public address; any public address ends it", () => {
  for (const host of ["127.0.0.1", "::1", "127.0.0.2"]) assert.equal(isDevelopment({ host }), true, host);
  for (const host of ["0.0.0.0", "::", "192.168.1.7"]) assert.equal(isDevelopment({ host }), false, host);
  const host = "127.0.0.1";
  for (const baseUrl of ["http://localhost:9000", "http://127.0.0.1:9000", "http://[::1]:9", "http://a.localhost:1"])
    assert.equal(isDevelopment({ host, baseUrl }), true, baseUrl);
  const url = "https://studio.example";
  for (const name of ["baseUrl", "cloudUrl", "deploymentUrl", "platformUrl", "contentUrl"])
    assert.equal(isDevelopment({ host, [name]: url }), false, name);
});

test("behind a TLS proxy on the same machine no development default applies: neither drain nor webhook targets", () => {
  const reach = { host: "127.0.0.1", baseUrl: "https://studio.example" };
  assert.equal(drainSecondsOf({ ...reach, drainSeconds: null, routerDeadlineSeconds: 600 }), 630);
  assert.equal(drainSecondsOf({ host: "127.0.0.1", drainSeconds: null, routerDeadlineSeconds: 600 }), 5);
  assert.throws(() => requireDevelopmentTargets({ ...reach, webhookTargets: ["127.0.0.1:3000"] }), UsageProblem);
  assert.throws(() => requireDevelopmentTargets({ host: "0.0.0.0", webhookTargets: ["127.0.0.1:3000"] }), UsageProblem);
  requireDevelopmentTargets({ host: "0.0.0.0", webhookTargets: [] });
  requireDevelopmentTargets({ host: "127.0.0.1", webhookTargets: ["127.0.0.1:3000"] });
});

test("an operator of a public server learns which addresses are missing", () => {
  assert.deepEqual(reachWarnings({ host: "127.0.0.1", trustProxy: [] }), []);
  const bare = reachWarnings({ host: "0.0.0.0", trustProxy: [] });
  assert.match(bare.join("\n"), /ATELIER_BASE_URL[\s\S]*ATELIER_CONTENT_URL/);
  const proxied = reachWarnings({ host: "127.0.0.1", baseUrl: "https://a.example", trustProxy: [] });
  assert.match(proxied.join("\n"), /ATELIER_CONTENT_URL[\s\S]*ATELIER_TRUST_PROXY/);
  const whole = { baseUrl: "https://a.example", contentUrl: "https://c.example", trustProxy: ["127.0.0.1/32"] };
  assert.deepEqual(reachWarnings({ host: "127.0.0.1", ...whole }), []);
});
