// GET /docs: the API reference, generated from the OpenAPI document served beside it. One page without external URLs: it works
// offline, prints well and loads fast. Two scripts, named by their hashes, add search, copying and highlighting of the current
// section; without them everything is still readable.
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
import { referenceScript, themeScript } from "./reference-script.ts";
import { referenceStyle } from "./reference-style.ts";
import { renderTypescript } from "./reference-typescript.ts";

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export const referencePolicy = [
  "default-src 'none'",
  `style-src ${hashOf(referenceStyle)}`,
  `script-src ${hashOf(themeScript)} ${hashOf(referenceScript)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export function apiReference(document: ReferenceDocument, baseUrl: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const schemas = document.components?.schemas ?? {};
  const areas = inReadingOrder(operations.flatMap(({ operation }) => operation.tags ?? ["other"])).map(
    (name): ReferenceArea => ({
      name,
      operations: operations.filter(({ operation }) => (operation.tags ?? ["other"]).includes(name)),
    }),
  );
  const first = beginning(new Set(operations.map(({ operation }) => operation.operationId)), baseUrl);
  const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${document.info.title}</title><style></style><s-theme></s-theme></head><body>
<a class="skip" href="#page">Skip to the reference</a>
${bar()}
<div class="frame">${navigation(areas, first !== null, Object.keys(schemas))}
<main id="page"><h1>${document.info.title}</h1><p class="quiet">Version ${document.info.version}. Machine-readable: <a href="/openapi.json">openapi.json</a>. For language models: <a href="/llms.txt">llms.txt</a>. <a href="/release-notes">Release notes</a>.</p>
${first}
${areas.map((area) => html`<section data-area="${area.name}"><h2 id="${anchorOf(area.name)}">${area.name}</h2>${meaningOf(document, area.name)}${area.operations.map((each) => operationBlock(each, baseUrl, schemas))}</section>`)}
<section data-area="Schemas"><h2 id="schemas">Schemas</h2><p>Request and response bodies, by name.</p>${Object.entries(schemas).map(([name, schema]) => html`<details id="schema-${name}"><summary class="of-schema"><code>${name}</code><span>${schema.description}</span></summary>${schemaTable(schema, schemas)}</details>`)}</section>
</main></div><s-page></s-page></body></html>`;
  // Style and scripts are our own constants, so they need no escaping; the policy names their hashes.
  return page
    .toString()
    .replace("<style></style>", () => `<style>${referenceStyle}</style>`)
    .replace("<s-theme></s-theme>", () => `<script>${themeScript}</script>`)
    .replace("<s-page></s-page>", () => `<script>${referenceScript}</script>`);
}

interface ReferenceArea {
  readonly name: string;
  readonly operations: readonly PathOperation[];
}

// What only scripts can do is hidden until they run.
function bar(): Html {
  return html`<header class="bar"><a class="home" href="/" title="Go to the console"><svg viewBox="0 0 64 64" aria-hidden="true"><path d="M12 58V30a20 20 0 0 1 40 0v28z" fill="#fff" stroke="#2f5d50" stroke-width="4"/><circle cx="32" cy="31" r="8" fill="#e9b44c"/><path d="M15 55V46q8-7 17-1t17-3v13z" fill="#2f5d50"/></svg><b>Atelier</b><span>API reference</span></a>
<div class="find" role="search" hidden><input id="find" type="text" role="combobox" aria-label="Search the reference" aria-expanded="false" aria-controls="found" aria-autocomplete="list" aria-keyshortcuts="/" autocomplete="off" spellcheck="false" placeholder="Search operations, paths, fields"><kbd aria-hidden="true">/</kbd><ul id="found" class="found" role="listbox" aria-label="Results" hidden></ul><span id="count" class="visually-hidden" role="status"></span></div>
<div class="tools"><button id="theme" class="button wide" type="button" hidden>Auto</button><a class="button" href="/">Console</a></div></header>`;
}

function navigation(areas: readonly ReferenceArea[], hasBeginning: boolean, schemaNames: readonly string[]): Html {
  return html`<nav class="side" aria-label="Areas and operations"><details id="navigation" open><summary>Contents</summary>
${hasBeginning ? html`<a class="plain" href="#begin">Start here</a>` : null}
${areas.map(({ name, operations }) => html`<details class="area"><summary>${name}</summary><ul><li><a class="name" href="#${anchorOf(name)}">All of ${name}</a></li>${operations.map(({ method, operation }) => html`<li><a href="#${operation.operationId}">${methodMark(method)}<span>${operation.summary}</span></a></li>`)}</ul></details>`)}
<details class="area"><summary>Schemas</summary><ul><li><a class="name" href="#schemas">All schemas</a></li>${schemaNames.map((name) => html`<li><a class="name" href="#schema-${name}">${name}</a></li>`)}</ul></details></details></nav>`;
}

// Distinguished by word, shape and colour.
function methodMark(method: string): Html {
  return html`<b class="m m-${method.toLowerCase()}">${method}</b>`;
}

function meaningOf(document: ReferenceDocument, area: string): Html | null {
  const meaning = document.tags?.find(({ name }) => name === area)?.description;
  return meaning === undefined ? null : html`<p>${meaning}</p>`;
}

// What every reader needs once: the key, the first call, and how to identify an answer. Only mounted operations are named.
const firstCalls = [
  ["listModels", "list the models"],
  ["invokeModel", "run one and wait for its result"],
  ["submitJob", "run a workflow"],
  ["uploadAsset", "store a file"],
  ["getCredits", "see your balance"],
] as const;

function beginning(mounted: ReadonlySet<string>, baseUrl: string): Html | null {
  const first = firstCalls.filter(([id]) => mounted.has(id));
  if (first.length === 0) return null;
  return html`<section class="panel" data-area="Start here"><h2 id="begin">Start here</h2>
<p>Send an API key as <code>Authorization: Bearer</code> or <code>X-API-Key</code>. Every response has an <code>X-Service-Request-Id</code>: quote it when you ask for help. Send your own <code>Idempotency-Key</code> with calls that cost credits: a retry with the same key neither runs nor charges twice.</p>
${codeBlock(
  "the first call",
  `export ATELIER_API_KEY=service-…
curl -H 'Authorization: Bearer '"$ATELIER_API_KEY" ${baseUrl}${mounted.has("listModels") ? "/v1/models" : "/api/v2/jobs"}`,
)}
<p>Then ${first.map(([id, words], index) => html`${index > 0 ? ", " : ""}<a href="#${id}">${words}</a>`)}.</p></section>`;
}

function codeBlock(label: string, code: string): Html {
  return html`<div class="code"><pre tabindex="0" role="group" aria-label="${label}">${code}</pre></div>`;
}

const anchorOf = (tag: string) => tag.toLowerCase().replace(/[^a-z0-9]+/g, "-");

function operationBlock(each: PathOperation, baseUrl: string, schemas: Schemas): Html {
  const { operation } = each;
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  return html`<details id="${operation.operationId}"><summary>${methodMark(each.method)}<code>${each.path}</code><span>${operation.deprecated ? html`<b class="old">deprecated: </b>` : null}${operation.summary}</span></summary>
${operation.description ? html`<p>${operation.description}</p>` : null}
<div class="examples"><figure><figcaption>curl</figcaption>${codeBlock(`curl example of ${operation.operationId}`, exampleOf(each, baseUrl, schemas))}</figure><figure><figcaption>TypeScript</figcaption>${codeBlock(`TypeScript example of ${operation.operationId}`, renderTypescript(each, baseUrl, schemas))}</figure></div>
${(operation.parameters ?? []).length > 0 ? html`<h3>Parameters</h3><table>${(operation.parameters ?? []).map((parameter) => html`<tr><td><code>${parameter.name}</code><br><span class="quiet">${parameter.in}${parameter.required ? ", required" : ""}</span></td><td>${typeOf(parameter.schema)}</td><td>${parameter.description ?? parameter.schema?.description}</td></tr>`)}</table>` : null}
${bodies.map(([type, { schema }]) => html`<h3>Body <span class="quiet">${type}</span>${schema?.$ref ? html` ${typeOf(schema)}` : null}</h3>${schema ? bodyTable(schema, schemas) : null}`)}
<h3>Responses</h3><table>${Object.entries(operation.responses ?? {})
    .filter(([, { $ref }]) => $ref === undefined)
    .map(
      ([status, answer]) =>
        html`<tr><td><code>${status}</code></td><td>${Object.values(answer.content ?? {}).map(({ schema }) => typeOf(schema))}</td><td>${answer.description}</td></tr>`,
    )}</table></details>`;
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

// Readers want to see a body's members in place; if there are several forms, each of them.
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
