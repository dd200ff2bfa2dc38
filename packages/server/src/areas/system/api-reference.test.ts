import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { test } from "node:test";
import { openApiDocument, operations } from "@atelier/contract";
import { apiReference, referencePolicy } from "./api-reference.ts";
import type { ReferenceDocument } from "./reference-document.ts";
import { referenceStyle } from "./reference-style.ts";
import { renderTypescript } from "./reference-typescript.ts";

const page = apiReference(
  JSON.parse(
    JSON.stringify(
      openApiDocument({
        operations: [
          operations.getBadges,
          operations.listModels,
          operations.listBadgeRows,
          operations.uploadAsset,
          operations.checkAssetByHash,
          operations.createKey,
          operations.submitJob,
          operations.addMember,
        ],
        title: "<script>alert(1)</script>",
        version: "1",
        servers: [{ url: "http://127.0.0.1:8080" }],
      }),
    ),
  ),
  "http://127.0.0.1:8080",
);

test("the reference names every operation with an example that carries the credential it wants", () => {
  const example = (id: string) => new RegExp(`id="${id}".*?<pre[^>]*>(.*?)</pre>`, "s").exec(page)?.[1] ?? "";
  assert.ok(!example("getBadges").includes("Authorization"));
  assert.match(example("listModels"), /\$ATELIER_API_KEY/);
  assert.match(example("listBadgeRows"), /\$ATELIER_ADMIN_TOKEN/);
});

test("an example has a body of the kind that its operation takes, and no HEAD that would wait for one", () => {
  const example = (id: string) =>
    (new RegExp(`id="${id}".*?<pre[^>]*>(.*?)</pre>`, "s").exec(page)?.[1] ?? "")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'");
  assert.match(example("uploadAsset"), /-F content_type=image\/png -F file_path=picture\.png -F file=@picture\.png$/);
  assert.match(example("checkAssetByHash"), /^curl --head '/);
  assert.match(example("getBadges"), /app_version=APP_VERSION&amp;platform=cloud'/);
  assert.match(example("createKey"), /-d '\{"name":"NAME"\}'$/);
  const [, body = ""] = /-d '(.*)'$/s.exec(example("submitJob")) ?? [];
  assert.deepEqual(Object.keys(JSON.parse(body).workflow), ["1", "2"]);
  assert.match(example("addMember"), /-d '\{"person_id":"PERSON_ID"\}'$/);
});

test("nothing of the document becomes markup, and only our two scripts can run", () => {
  const scripts = [...page.matchAll(/<script[^>]*>(.*?)<\/script>/gs)];
  const hashes = scripts.map(([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  assert.deepEqual(/script-src ([^;]+)/.exec(referencePolicy)?.[1]?.split(" "), hashes);
  assert.ok(scripts.every(([tag]) => tag.startsWith("<script>") && !/\beval\(|Function\(|fetch\(|innerHTML/.test(tag)));
  assert.match(referencePolicy, /default-src 'none'/);
  assert.ok(!/unsafe|\bhttps?:/.test(referencePolicy));
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
    ["listModels", "submitJob", "uploadAsset"],
  );
  const headings = [...page.matchAll(/<h2 id="([\w-]+)">/g)].map((match) => match[1]);
  assert.deepEqual(headings, [
    "begin",
    "model-router",
    "v2-jobs",
    "v2-assets",
    "price-badges",
    "account",
    "price-badge-administration",
    "schemas",
  ]);
});

test("the colours are the console's", () => {
  const theme = readFileSync(new URL("../../../../console/src/ui/theme.css", import.meta.url), "utf8");
  const pairs = [...referenceStyle.matchAll(/(--[\w-]+):(light-dark\([^)]+\))/g)];
  assert.ok(pairs.length > 15);
  for (const [, name = "", pair = ""] of pairs) assert.ok(theme.includes(`${name}: ${pair.replace(",", ", ")};`), name);
});

test("methods differ by word, shape and colour", () => {
  for (const method of ["get", "post", "put", "patch", "delete", "head"])
    assert.match(referenceStyle, new RegExp(`\\.m-${method}\\{[^}]*(border-radius|clip-path)`));
  assert.match(page, /<b class="m m-get">GET<\/b><code>\/nodes\/pricing\/badges<\/code>/);
});

test("every operation has TypeScript that the compiler reads", () => {
  const whole = openApiDocument({ operations: Object.values(operations), title: "All", version: "1", servers: [] });
  const document: ReferenceDocument = JSON.parse(JSON.stringify(whole));
  const schemas = document.components?.schemas ?? {};
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const code = renderTypescript(
        { path, method: method.toUpperCase(), operation },
        "http://127.0.0.1:8080",
        schemas,
      );
      assert.doesNotThrow(() => stripTypeScriptTypes(code), `${operation.operationId}: ${code}`);
    }
});
