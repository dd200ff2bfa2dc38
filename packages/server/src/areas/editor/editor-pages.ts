// Pages of our own where the editor cannot be shown. They run no script.
import type { BytesAnswer } from "../../foundation/http/area.ts";
import { pageRules } from "../../foundation/http/page-rules.ts";

const style =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}code{font-size:.95em}";

function page(status: number, title: string, text: string): BytesAnswer {
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${style}</style></head><body><main><h1>${title}</h1>${text}<p><a href="/">To the console</a></p></main></body></html>
`;
  const headers = {
    ...pageRules,
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  };
  return { status, headers, body };
}

export const notInstalledPage = (): BytesAnswer =>
  page(
    404,
    "The editor is not installed",
    "<p>The operator of this server can install it, on the server's machine:</p><p><code>atelier editor install</code></p><p>Then load this page again. The server need not be restarted.</p>",
  );

export const noWorkspacePage = (): BytesAnswer =>
  page(
    404,
    "There is no such workspace",
    '<p>Or you are not a member of it. <a href="/editor">Open the editor</a> in the workspace that you chose last.</p>',
  );
