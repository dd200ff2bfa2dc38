// GET /docs: the API reference, made from the OpenAPI document that is served beside it. One page, no script, no
// foreign address: it works offline, prints well and loads at once.
import { createHash } from "node:crypto";
import { type Html, html } from "../../foundation/http/html.ts";
import { inReadingOrder } from "./area-order.ts";
import {
  type PathOperation,
  type ReferenceDocument,
  resolved,
  type SchemaObject,
  type Schemas,
} from "./reference-document.ts";
import { exampleOf } from "./reference-example.ts";

const style = `
:root{color-scheme:light dark;--ink:#1c1d21;--soft:#5b5f6b;--ground:#ffffff;--code:#f4f3f0;--line:#d9d7d1;--accent:#2f5d50}
@media(prefers-color-scheme:dark){:root{--ink:#ececea;--soft:#a9adb8;--ground:#16171a;--code:#24262b;--line:#3a3d44;--accent:#8ccbb6}}
*{box-sizing:border-box}
body{font:15px/1.55 system-ui,sans-serif;margin:0 auto;max-width:64rem;padding:1.5rem 1rem;background:var(--ground);color:var(--ink);overflow-wrap:anywhere}
h1{font-size:1.6rem;margin:0}h2{margin:2.5rem 0 .75rem;padding-bottom:.25rem;font-size:1.2rem;border-bottom:1px solid var(--line)}
h3{font-size:.95rem;margin:1.2rem 0 .3rem}p{margin:.5rem 0}
a{color:var(--accent)}nav{display:flex;flex-wrap:wrap;gap:.3rem 1.1rem;margin:.75rem 0}
details{border:1px solid var(--line);border-radius:.5rem;margin:.4rem 0;padding:.4rem .8rem;scroll-margin-top:.5rem}
details[open]{padding-bottom:.8rem}details:target{border-color:var(--accent)}
details:target::details-content{content-visibility:visible;block-size:auto}
summary{cursor:pointer;display:grid;grid-template-columns:.7rem 3.9rem minmax(0,23rem) 1fr;gap:.2rem .7rem;align-items:baseline;list-style:none}
h2#schemas~details summary{grid-template-columns:.7rem minmax(0,18rem) 1fr}
summary::before{content:"▸";color:var(--soft)}details[open]>summary::before,details:target>summary::before{content:"▾"}
summary b{font:600 .8rem ui-monospace,monospace;color:var(--accent)}
summary code{background:none;padding:0}
summary span,.quiet,s{color:var(--soft)}
code,pre{font:.85rem/1.5 ui-monospace,monospace;background:var(--code);border-radius:.3rem;padding:.1rem .3rem}
pre{overflow-x:auto;padding:.7rem;overflow-wrap:normal}
table{border-collapse:collapse;width:100%;margin:.3rem 0}
td{border-top:1px solid var(--line);padding:.4rem .8rem .4rem 0;vertical-align:top;font-size:.9rem}
td:first-child{width:14rem}td:nth-child(2){width:16rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media(max-width:44rem){summary{grid-template-columns:.7rem 3.9rem minmax(0,1fr)}h2#schemas~details summary{grid-template-columns:.7rem minmax(0,1fr)}
summary span{grid-column:2/-1}
table,tbody,tr,td,td:first-child,td:nth-child(2){display:block;width:auto}td{border:0;padding:0}tr{border-top:1px solid var(--line);padding:.4rem 0}}
@media print{details{break-inside:avoid}}
`;

export const referencePolicy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export function apiReference(document: ReferenceDocument, baseUrl: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const schemas = document.components?.schemas ?? {};
  const tags = inReadingOrder(operations.flatMap(({ operation }) => operation.tags ?? ["other"]));
  const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${document.info.title}</title><style></style></head><body>
<h1>${document.info.title}</h1><p class="quiet">Version ${document.info.version}. Machine-readable: <a href="/openapi.json">openapi.json</a>. For language models: <a href="/llms.txt">llms.txt</a>. <a href="/release-notes">Release notes</a>.</p>
<nav>${tags.map((tag) => html`<a href="#${anchorOf(tag)}">${tag}</a>`)}<a href="#schemas">Schemas</a></nav>
${beginning(new Set(operations.map(({ operation }) => operation.operationId)), baseUrl)}
${tags.map((tag) => html`<h2 id="${anchorOf(tag)}">${tag}</h2>${operations.filter(({ operation }) => (operation.tags ?? ["other"]).includes(tag)).map((each) => operationBlock(each, baseUrl, schemas))}`)}
<h2 id="schemas">Schemas</h2>${Object.entries(schemas).map(([name, schema]) => html`<details id="schema-${name}"><summary><code>${name}</code><span>${schema.description}</span></summary>${schemaTable(schema, schemas)}</details>`)}
</body></html>`;
  // The style is ours and constant, so it may stand unescaped; the policy names its hash.
  return page.toString().replace("<style></style>", `<style>${style}</style>`);
}

// What everybody needs once: the key, the first call, and where an answer says what it was. Only what is mounted is named.
const firstCalls = [
  ["listModels", "see which models there are"],
  ["invokeModel", "run one and wait for its result"],
  ["submitJob", "run a workflow"],
  ["uploadAsset", "store a file"],
  ["getCredits", "see what is left"],
] as const;

function beginning(mounted: ReadonlySet<string>, baseUrl: string): Html {
  const first = firstCalls.filter(([id]) => mounted.has(id));
  if (first.length === 0) return html``;
  return html`<h2 id="begin">Begin here</h2>
<p>Send an API key as <code>Authorization: Bearer</code> or <code>X-API-Key</code>. Every answer carries <code>X-Service-Request-Id</code>: quote it when you ask for help. What costs goes under an <code>Idempotency-Key</code> of yours: a retry under the same key neither runs nor costs twice.</p>
<pre>export ATELIER_API_KEY=service-…
curl -H 'Authorization: Bearer '"$ATELIER_API_KEY" ${baseUrl}${mounted.has("listModels") ? "/v1/models" : "/api/v2/jobs"}</pre>
<p>Then ${first.map(([id, words], index) => html`${index > 0 ? ", " : ""}<a href="#${id}">${words}</a>`)}.</p>`;
}

const anchorOf = (tag: string) => tag.toLowerCase().replace(/[^a-z0-9]+/g, "-");

function operationBlock(each: PathOperation, baseUrl: string, schemas: Schemas): Html {
  const { operation } = each;
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  return html`<details id="${operation.operationId}"><summary><b>${each.method}</b><code>${each.path}</code><span>${operation.deprecated ? "deprecated: " : ""}${operation.summary}</span></summary>
${operation.description ? html`<p>${operation.description}</p>` : null}
<pre>${exampleOf(each, baseUrl, schemas)}</pre>
${(operation.parameters ?? []).length > 0 ? html`<h3>Parameters</h3><table>${(operation.parameters ?? []).map((parameter) => html`<tr><td><code>${parameter.name}</code><br><span class="quiet">${parameter.in}${parameter.required ? ", required" : ""}</span></td><td>${typeOf(parameter.schema)}</td><td>${parameter.description ?? parameter.schema?.description}</td></tr>`)}</table>` : null}
${bodies.map(([type, { schema }]) => html`<h3>Body <span class="quiet">${type}</span>${schema?.$ref ? html` ${typeOf(schema)}` : null}</h3>${schema ? bodyTable(schema, schemas) : null}`)}
<h3>Answers</h3><table>${Object.entries(operation.responses ?? {}).map(([status, answer]) => html`<tr><td><code>${status}</code></td><td>${Object.values(answer.content ?? {}).map(({ schema }) => typeOf(schema))}</td><td>${answer.description}</td></tr>`)}</table></details>`;
}

function typeOf(schema: SchemaObject | undefined): Html {
  if (!schema) return html``;
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum) return html`${schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code> `)}`;
  if (schema.type === "array") return html`array of ${typeOf(schema.items)}`;
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return html`${union.map((part, index) => html`${index > 0 ? " or " : ""}${typeOf(part)}`)}`;
  return html`${[schema.type].flat().filter(Boolean).join(" or ")}${schema.format ? ` (${schema.format})` : ""}`;
}

// What a body holds is wanted on the spot; where there are several forms of it, each of them.
function bodyTable(schema: SchemaObject, schemas: Schemas): Html {
  const whole = resolved(schema, schemas);
  const forms = whole.properties === undefined ? (whole.anyOf ?? whole.oneOf) : undefined;
  if (forms === undefined) return schemaTable(whole, schemas);
  return html`${forms.map((form, index) => html`${index > 0 ? html`<p>or</p>` : null}${schemaTable(resolved(form, schemas), schemas)}`)}`;
}

function schemaTable(schema: SchemaObject, schemas: Schemas): Html {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return html`<p>${typeOf(schema)}</p>`;
  return html`<table>${properties.map(([name, property]) => html`<tr><td><code>${name}</code>${(schema.required ?? []).includes(name) ? html`<br><span class="quiet">required</span>` : null}</td><td>${typeOf(property)}</td><td>${property.deprecated ? "Deprecated. " : ""}${property.description ?? resolved(property, schemas).description}</td></tr>`)}</table>`;
}
