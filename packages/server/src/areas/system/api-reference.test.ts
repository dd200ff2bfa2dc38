import assert from "node:assert/strict";
import { test } from "node:test";
import { openApiDocument, operations } from "@atelier/contract";
import { apiReference, referencePolicy } from "./api-reference.ts";

const page = apiReference(
  JSON.parse(
    JSON.stringify(
      openApiDocument({
        operations: [operations.getBadges, operations.listModels, operations.listBadgeRows],
        title: "<script>alert(1)</script>",
        version: "1",
        servers: [{ url: "http://127.0.0.1:8080" }],
      }),
    ),
  ),
  "http://127.0.0.1:8080",
);

test("the reference names every operation with an example that carries the credential it wants", () => {
  const example = (id: string) => new RegExp(`id="${id}".*?<pre>(.*?)</pre>`, "s").exec(page)?.[1] ?? "";
  assert.ok(!example("getBadges").includes("Authorization"));
  assert.match(example("listModels"), /\$ATELIER_API_KEY/);
  assert.match(example("listBadgeRows"), /\$ATELIER_ADMIN_TOKEN/);
});

test("nothing of the document becomes markup, and no script could run", () => {
  assert.ok(!page.includes("<script"));
  assert.match(referencePolicy, /default-src 'none'/);
  assert.ok(
    !/https?:\/\/(?!127\.0\.0\.1)/.test(page.replaceAll(/https:\/\/json-schema\.org\S*/g, "")),
    "no foreign address",
  );
});

test("it begins with the first calls of what is mounted, and with what programs call before what operators need", () => {
  const beginning = /<h2 id="begin">.*?(?=<h2)/s.exec(page)?.[0] ?? "";
  assert.match(beginning, /curl .*http:\/\/127\.0\.0\.1:8080\/v1\/models/);
  assert.deepEqual(
    [...beginning.matchAll(/href="#(\w+)"/g)].map((match) => match[1]),
    ["listModels"],
  );
  const headings = [...page.matchAll(/<h2 id="([\w-]+)">/g)].map((match) => match[1]);
  assert.deepEqual(headings, ["begin", "model-router", "price-badges", "price-badge-administration", "schemas"]);
});
