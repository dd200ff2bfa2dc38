// Every named entity of the wire has a realistic example that is accepted and at least one broken one that is refused, by two
// independent validators. An entity without an example fails here.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accountExamples } from "../test/examples/account.ts";
import { accountOperationExamples } from "../test/examples/account-operations.ts";
import { backgroundWorkExamples } from "../test/examples/background-work.ts";
import { backupExamples } from "../test/examples/backups.ts";
import { creditAndUsageExamples } from "../test/examples/credits-and-usage.ts";
import { deploymentExamples } from "../test/examples/deployments.ts";
import { environmentExamples } from "../test/examples/environments.ts";
import type { Example } from "../test/examples/example.ts";
import { figureExamples } from "../test/examples/figures.ts";
import { modelRouterExamples } from "../test/examples/model-router.ts";
import { nodeRegistryExamples } from "../test/examples/node-registry.ts";
import { partnerProxyExamples } from "../test/examples/partner-proxy.ts";
import { priceBadgeExamples } from "../test/examples/price-badges.ts";
import { providerOperationExamples } from "../test/examples/provider-operations.ts";
import { refusedCredentialExamples } from "../test/examples/refused-credentials.ts";
import { retentionExamples } from "../test/examples/retention.ts";
import { savedWorkflowExamples } from "../test/examples/saved-workflows.ts";
import { sellingExamples } from "../test/examples/selling.ts";
import { settingExamples } from "../test/examples/settings.ts";
import { systemCheckExamples } from "../test/examples/system-checks.ts";
import { webhookExamples } from "../test/examples/webhooks.ts";
import { weightExamples } from "../test/examples/weights.ts";
import { workerExamples } from "../test/examples/workers.ts";
import { workflowExamples } from "../test/examples/workflows.ts";
import { workExamples } from "../test/examples/works.ts";
import { changed, isAccepted } from "../test/support/verdicts.ts";
import * as contract from "./index.ts";
import { openApiDocument } from "./open-api.ts";
import { allOperations } from "./operations.ts";

const examples: Record<string, Example> = {
  ...accountExamples,
  ...accountOperationExamples,
  ...backgroundWorkExamples,
  ...backupExamples,
  ...refusedCredentialExamples,
  ...figureExamples,
  ...settingExamples,
  ...systemCheckExamples,
  ...creditAndUsageExamples,
  ...retentionExamples,
  ...savedWorkflowExamples,
  ...sellingExamples,
  ...workExamples,
  ...deploymentExamples,
  ...environmentExamples,
  ...weightExamples,
  ...modelRouterExamples,
  ...nodeRegistryExamples,
  ...partnerProxyExamples,
  ...priceBadgeExamples,
  ...providerOperationExamples,
  ...webhookExamples,
  ...workerExamples,
  ...workflowExamples,
};

function named(): Map<string, object> {
  const found = new Map<string, object>();
  for (const value of Object.values(contract)) {
    if (typeof value !== "object" || value === null || !("title" in value)) continue;
    if (typeof value.title === "string") found.set(value.title, value);
  }
  return found;
}

const entities = named();

test("every named entity has an example, and every example an entity", () => {
  assert.deepEqual([...entities.keys()].sort(), Object.keys(examples).sort());
});

test("every entity of the document is exported, so that it has an example", () => {
  const { components } = openApiDocument({ title: "T", version: "1", servers: [], operations: allOperations });
  const schemas = components.schemas;
  // The OpenAPI document itself is exempt: its own standard defines it.
  const unknown = Object.keys(Object(schemas)).filter((name) => !entities.has(name) && name !== "OpenApiDocument");
  assert.deepEqual(unknown, []);
});

test("every named entity says what it is", () => {
  for (const [name, schema] of entities) {
    assert.ok("description" in schema && typeof schema.description === "string", name);
    assert.match(schema.description, /^\S.*\S$/, name);
  }
});

describe("entities", () => {
  for (const [name, { good, broken }] of Object.entries(examples)) {
    const schema = entities.get(name);
    if (!schema) continue;
    test(`${name}: a realistic one is accepted`, () => {
      assert.equal(isAccepted(schema, good), true);
    });
    test(`${name}: broken ones are refused`, () => {
      assert.ok(Object.keys(broken).length > 0);
      for (const [path, value] of Object.entries(broken)) {
        const bad = path === "" ? value : changed(good, path, value);
        assert.equal(isAccepted(schema, bad), false, `${name} with ${path} = ${JSON.stringify(value)} was accepted`);
      }
    });
  }
});
