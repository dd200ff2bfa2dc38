// A real Chromium with an empty profile and no network traffic of its own, and a watch on each page that records
// everything our pages must never do.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";

const program = process.env["ATELIER_TEST_CHROMIUM"];
export const skip = program === undefined ? "ATELIER_TEST_CHROMIUM names no Chromium" : false;

const programArguments = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly colourScheme?: "light" | "dark";
  // False turns scripts off.
  readonly isScripted?: boolean;
}

export interface Browsing {
  readonly page: Page;
  readonly context: BrowserContext;
  // Console errors, page errors, policy violations and requests to other origins, in words.
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

export async function browse(baseUrl: string, look: Look = {}): Promise<Browsing> {
  const profile = mkdtempSync(join(tmpdir(), "atelier-chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: program ?? "",
    args: programArguments,
    headless: true,
    viewport: { width: look.width ?? 1100, height: look.height ?? 800 },
    colorScheme: look.colourScheme ?? "light",
    javaScriptEnabled: look.isScripted ?? true,
    timeout: 120_000,
  });
  context.setDefaultTimeout(120_000);
  const complaints: string[] = [];
  await context.exposeFunction("noteViolation", (text: string) => void complaints.push(`policy: ${text}`));
  await context.addInitScript({
    content: `document.addEventListener("securitypolicyviolation", (event) =>
      window.noteViolation(event.violatedDirective + " " + event.blockedURI));`,
  });
  const origin = new URL(baseUrl).origin;
  context.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) complaints.push(`foreign request: ${request.url()}`);
  });
  const page = context.pages()[0] ?? (await context.newPage());
  page.on("pageerror", (error) => complaints.push(`page error: ${error.message}`));
  page.on("console", (message) => {
    // A refused link answers 404 on purpose, but the browser logs every 401, 403 or 404 as an error.
    const isAnswer = /the server responded with a status of 40[134]/.test(message.text());
    if (message.type() === "error" && !isAnswer) complaints.push(`console: ${message.text()}`);
  });
  return {
    page,
    context,
    complaints,
    async close() {
      await context.close();
      // The browser may still be writing its files.
      rmSync(profile, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    },
  };
}
