// GET / for people, until the console is there: what this is, whether it is well, where to go, and the first commands. One
// document without script, under the strictest policy; it asks for nothing else, here or elsewhere.
import { createHash } from "node:crypto";
import type { Readiness } from "@atelier/contract";
import type { BytesAnswer } from "../../foundation/http/area.ts";
import { type Html, html } from "../../foundation/http/html.ts";
import { indexStyle } from "./index-style.ts";

export interface IndexFacts {
  readonly version: string;
  readonly baseUrl: string;
  readonly readiness: Readiness;
}

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(indexStyle).digest("base64")}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

export function indexPage(facts: IndexFacts): BytesAnswer {
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "cache-control": "no-store",
      vary: "Accept",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
    },
    body: documentOf(facts),
  };
}

// A person's browser asks for pages by name; what asks for anything is a program.
export function wantsPage(accept: string | undefined): boolean {
  return (accept ?? "").split(",").some((each) => {
    const [type = "", ...parameters] = each.split(";").map((part) => part.trim().toLowerCase());
    return type === "text/html" && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

const entries = [
  ["/docs", "API reference", "Every operation of this server, with examples to copy."],
  ["/profile/api-keys", "API keys", "Sign in, make keys, take them back."],
  ["/readyz", "Status", "What this server needs, and how it is."],
  ["/llms.txt", "For agents", "The same in a text that language models read; tools at /mcp."],
] as const;

function documentOf({ version, baseUrl, readiness }: IndexFacts): string {
  const head = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Atelier</title>`;
  const body = html`<main>
<div class="hero">${mark()}<h1>Atelier</h1>
<p class="lead">Models, workflows, files and nodes behind one key, on a server of your own.</p>
<p class="state ${readiness.status === "ready" ? "well" : "ill"}"><span class="dot" aria-hidden="true"></span>${stateOf(readiness)}</p></div>
<nav aria-label="Places">${entries.map(([path, name, about]) => html`<a class="card" href="${path}"><strong>${name}</strong><span>${about}</span></a>`)}</nav>
<section aria-labelledby="first"><h2 id="first">First steps</h2>
<p>A picture, in the folder where the server was started:</p>
<pre tabindex="0"><code>./atelier run examples/first-picture.json -o out/</code></pre>
<p>The models that a key of yours can call:</p>
<pre tabindex="0"><code>curl ${baseUrl}/v1/models -H "X-API-Key: $ATELIER_API_KEY"</code></pre>
<p class="soft">Something is wrong? <code>./atelier doctor</code> says how to mend it.</p></section>
</main>
<footer><span>Atelier ${version}</span><span><a href="/openapi.json">OpenAPI</a> · <a href="/release-notes">Release notes</a></span></footer>`;
  // The style is ours and constant; a template would escape it.
  return `<!doctype html>\n<html lang="en">\n<head>\n${head}\n<style>${indexStyle}</style>\n</head>\n<body>\n${body}\n</body>\n</html>\n`;
}

function stateOf({ status, checks }: Readiness): string {
  if (status === "ready") return "Ready";
  const failing = Object.entries(checks).flatMap(([name, check]) => (check.status === "failing" ? [name] : []));
  return failing.length === 0 ? "Not ready" : `Not ready: ${failing.join(", ")}`;
}

// A window with light in it.
function mark(): Html {
  return html`<svg class="mark" viewBox="0 0 64 64" aria-hidden="true"><path class="frame" d="M12 58V30a20 20 0 0 1 40 0v28z"/>
<circle class="sun" cx="32" cy="31" r="8"/><path class="hill" d="M15 55V46q8-7 17-1t17-3v13z"/></svg>`;
}
