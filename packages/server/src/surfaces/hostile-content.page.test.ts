// Files crafted to run where they are opened, in a real browser: opened by their signed URL, and embedded in another page by
// every element that could run them. A witness is notified of anything that ran; it is never notified.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { type Browsing, browse, skip } from "../../test/pages/support/browser.ts";
import { aClient, aForm, aHouse, type Client, type House, textOf } from "./surfaces.fixture.ts";

type HostileFile = readonly [path: string, declared: string, bytes: Buffer];

const latin = (text: string) => Buffer.from(text, "latin1");

// `tell` is a script that notifies the witness.
function hostileFiles(callHome: (name: string) => string): HostileFile[] {
  const page = (name: string) =>
    `<!doctype html><html><body onload="${callHome(name)}"><script>${callHome(name)}</script></body></html>`;
  const drawing = (name: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" onload="${callHome(name)}"><script>${callHome(name)}</script></svg>`;
  const file = (path: string, declared: string, bytes: string | Buffer): HostileFile => [
    path,
    declared,
    typeof bytes === "string" ? Buffer.from(bytes) : bytes,
  ];
  return [
    file("page.html", "text/html", page("page.html")),
    file("page.png", "image/png", page("page.png")),
    file("page.txt", "text/plain", page("page.txt")),
    file("page.mp4", "video/mp4", page("page.mp4")),
    file("page.json", "application/json", page("page.json")),
    file("page.pdf", "application/pdf", page("page.pdf")),
    file(
      "page.xhtml",
      "application/xhtml+xml",
      `<html xmlns="http://www.w3.org/1999/xhtml"><script>${callHome("page.xhtml")}</script></html>`,
    ),
    file("page.shtml", "text/html; charset=utf-7", `+ADw-script+AD4-${callHome("page.shtml")}+ADw-/script+AD4-`),
    file("wide.html", "text/html; charset=utf-16", Buffer.from(`\ufeff${page("wide.html")}`, "utf16le")),
    file("padded.html", "text/plain", `${" ".repeat(8000)}${page("padded.html")}`),
    file("page.mht", "multipart/related", `MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${page("page.mht")}`),
    file("page.html.gz", "text/html", gzipSync(page("page.html.gz"))),
    file("drawing.svg", "image/svg+xml", drawing("drawing.svg")),
    file("drawing.png", "image/png", drawing("drawing.png")),
    file("drawing.xml", "text/xml", `<?xml version="1.0"?>${drawing("drawing.xml")}`),
    file(
      "feed.xml",
      "application/rss+xml",
      `<rss><channel><a xmlns="http://www.w3.org/1999/xhtml"><script>${callHome("feed.xml")}</script></a></channel></rss>`,
    ),
    file(
      "style.xml",
      "text/xml",
      `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#s"?><x:s id="s" xmlns:x="http://www.w3.org/1999/XSL/Transform" version="1.0"><x:template match="/"><script xmlns="http://www.w3.org/1999/xhtml">${callHome("style.xml")}</script></x:template></x:s>`,
    ),
    file("script.js", "text/javascript", callHome("script.js")),
    file("script.mjs", "application/javascript", callHome("script.mjs")),
    file("script.txt", "text/plain", callHome("script.txt")),
    file("script.json", "application/json", callHome("script.json")),
    file("script.png", "image/png", callHome("script.png")),
    file("worker.js", "text/javascript", `self.addEventListener("install", () => { ${callHome("worker.js")} })`),
    file("style.css", "text/css", "body { background: url(javascript:1) }"),
    file("polyglot.gif", "image/gif", latin(`GIF89a=1;${callHome("polyglot.gif")};//`)),
    file(
      "polyglot.jpg",
      "image/jpeg",
      latin(`\xff\xd8\xff\xfe\x00\xff*/;${callHome("polyglot.jpg")}/*<script>${callHome("polyglot.jpg")}</script>`),
    ),
    file("polyglot.wav", "audio/wav", latin(`RIFF=1;//WAVEfmt \n${callHome("polyglot.wav")}`)),
    file(
      "polyglot.webp",
      "image/webp",
      latin(`RIFF\x2f\x2a\x00\x00WEBP*/=1;${callHome("polyglot.webp")}<script>${callHome("polyglot.webp")}</script>`),
    ),
    file(
      "polyglot.mp4",
      "video/mp4",
      latin(`\0\0\0\x20ftypisom\0\0\x02\0<script>${callHome("polyglot.mp4")}</script>`),
    ),
    file(
      "polyglot.pdf",
      "application/pdf",
      latin(`%PDF-1.4\n1 0 obj<</OpenAction<</S/JavaScript/JS(${callHome("polyglot.pdf")})>>>>endobj`),
    ),
    file(
      "polyglot.ogg",
      "audio/ogg",
      latin(`OggS=1;${callHome("polyglot.ogg")}<script>${callHome("polyglot.ogg")}</script>`),
    ),
    file("table.csv", "text/csv", `=cmd|' /C calc'!A0,<script>${callHome("table.csv")}</script>`),
  ];
}

describe("a browser that opens hostile files", { skip, timeout: 900_000 }, () => {
  let house: House;
  let client: Client;
  let witness: Server;
  let witnessUrl: string;
  let browsing: Browsing;
  const heard: string[] = [];
  let shown = "";

  before(async () => {
    house = await aHouse();
    client = aClient(`http://127.0.0.1:${house.cloudPort}`, { "x-api-key": house.key });
    witness = createServer((request, response) => {
      if (request.url?.startsWith("/heard")) heard.push(request.url);
      response.writeHead(200, { "content-type": "text/html", "access-control-allow-origin": "*" });
      response.end(request.url === "/page" ? shown : "");
    });
    witness.listen(0, "127.0.0.1");
    await once(witness, "listening");
    const address = witness.address();
    witnessUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    browsing = await browse(witnessUrl);
  });
  after(async () => {
    await browsing?.close();
    witness?.closeAllConnections();
    witness?.close();
    await client?.close();
    await house?.close();
  });

  const callHome = (name: string) => `new Image().src='${witnessUrl}/heard?${name}'`;

  test("the witness hears a script that runs, so its silence proves something", async () => {
    shown = `<script>${callHome("control")}</script>`;
    await browsing.page.goto(`${witnessUrl}/page`);
    await browsing.page.waitForLoadState("networkidle");
    assert.deepEqual(heard.splice(0), ["/heard?control"]);
  });

  test("runs none of them: not opened, not in a frame, not as script, style, object or picture", async () => {
    const files = hostileFiles(callHome);
    assert.ok(files.length >= 30);
    const urls: string[] = [];
    for (const [path, declared, bytes] of files) {
      const form = aForm(bytes, { file_path: path, content_type: declared });
      urls.push(textOf((await client.ask("/api/v2/assets", { method: "POST", body: form })).json()["url"]));
    }
    for (const url of urls) {
      // Most of them are downloaded and not shown, which the browser reports as a navigation that did not happen.
      await browsing.page.goto(url).catch(() => undefined);
    }
    shown = urls
      .map((url) => url.replaceAll("&", "&amp;"))
      .map(
        (url) =>
          `<iframe src="${url}"></iframe><script src="${url}"></script><script type="module" src="${url}"></script>` +
          `<object data="${url}"></object><embed src="${url}"><img src="${url}"><link rel="stylesheet" href="${url}">`,
      )
      .join("\n");
    await browsing.page.goto(`${witnessUrl}/page`, { waitUntil: "load" });
    await browsing.page.waitForTimeout(1_000);
    assert.deepEqual(heard, []);
  });
});
