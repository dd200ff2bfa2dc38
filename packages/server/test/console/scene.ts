// The setting of the console's tests: one server exactly as it is shipped, one real Chromium, and pages signed in as the
// first owner in each look. Every page is watched: a request outside our two origins, a policy violation or a script
// error is a complaint, and `close` of a visit fails with it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { type SmtpSink, smtpSink } from "../../src/capabilities/mail/smtp-sink.fixture.ts";
import { textOf } from "../support/app-client.ts";
import { type AsShippedServer, startAsShipped } from "../support/as-shipped-server.ts";
import { paymentsSecret } from "../support/payments-secret.ts";
import { type HookSink, openHookSink } from "./hook-sink.ts";
import { watchRest } from "./rest.ts";

const program = process.env["ATELIER_TEST_CHROMIUM"];
export const skip = program === undefined ? "ATELIER_TEST_CHROMIUM names no Chromium" : false;

export const looks = {
  light: { width: 1280, height: 800, colorScheme: "light" },
  dark: { width: 1280, height: 800, colorScheme: "dark" },
  phone: { width: 390, height: 844, colorScheme: "light" },
  "phone-dark": { width: 390, height: 844, colorScheme: "dark" },
} as const;
export type LookName = keyof typeof looks;

// The looks in which the tests of every page run: all of them with `npm run test:long -- console`, one with `npm test`, where
// only the frame is checked in every look.
const isLong = process.env["ATELIER_TEST_LONG"] === "1";
export const looksNow: readonly LookName[] = isLong ? ["light", "dark", "phone", "phone-dark"] : ["light"];

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: string[];
  // Opens a path of the console and waits until its heading is there and the page is at rest.
  open(path: string): Promise<void>;
  // Checks that the page as it is now violates nothing of WCAG 2.2 AA.
  requireAccessible(): Promise<void>;
  // Saves a picture of the page if ATELIER_TEST_PICTURES names a folder.
  picture(name: string): Promise<void>;
  // Ends the visit, and fails if the page did anything it must not.
  close(): Promise<void>;
}

export interface Scene {
  readonly server: AsShippedServer;
  readonly baseUrl: string;
  // A receiver to which the server may send webhooks.
  readonly sink: HookSink;
  // A mail server to which alerts go.
  readonly mail: SmtpSink;
  // `through`: the address of a front before the server.
  visit(
    look?: LookName,
    options?: { readonly signedIn?: boolean; readonly through?: string | undefined },
  ): Promise<Visit>;
  close(): Promise<void>;
}

const programArguments = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"].concat(
  ["background-networking", "component-update", "sync"].map((name) => `--disable-${name}`),
);

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;
const sessionMs = 8 * 60_000;

export async function openScene(env: Readonly<Record<string, string>> = {}): Promise<Scene> {
  const [sink, mail] = await Promise.all([openHookSink(), smtpSink()]);
  const settings = {
    ATELIER_WEBHOOK_TARGETS: sink.target,
    ATELIER_PAYMENTS_SECRET: paymentsSecret,
    ATELIER_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    ATELIER_MAIL_FROM: "Atelier <alerts@studio.example>",
  };
  const [server, browser] = await Promise.all([
    startAsShipped({ env: { ...settings, ...env } }),
    chromium.launch({ executablePath: program ?? "", args: programArguments, timeout: 120_000 }),
  ]);
  // One sign-in for all: a session is a cookie, and a context that holds it is signed in. Long suites sign in again, because some
  // steps ask for a sign-in of the last 15 minutes.
  let session: { readonly cookies: Cookies; readonly sinceMs: number } | null = null;
  return {
    server,
    baseUrl: server.baseUrl,
    sink,
    mail,
    async visit(look = "light", { signedIn = true, through } = {}) {
      if (signedIn && performance.now() > (session?.sinceMs ?? -sessionMs) + sessionMs) {
        const link = session === null ? firstLink(server) : await newLink(server);
        session = { cookies: await signIn(browser, link), sinceMs: performance.now() };
      }
      return visitOf(browser, through ?? server.baseUrl, look, signedIn ? (session?.cookies ?? []) : []);
    },
    async close() {
      await browser.close();
      await server.close();
      await Promise.all([sink.close(), mail.close()]);
    },
  };
}

const firstLink = (server: AsShippedServer) =>
  /^Sign in: +(\S+)/m.exec(readFileSync(`${server.home}/first-key.txt`, "utf8"))?.[1] ?? "";

async function newLink(server: AsShippedServer): Promise<string> {
  const atelier = join(import.meta.dirname, "..", "..", "..", "cli", "bin", "atelier.mjs");
  const env = { PATH: process.env["PATH"] ?? "", ATELIER_HOME: server.home };
  const { stdout } = await promisify(execFile)(process.execPath, [atelier, "open", "--json"], { env, timeout: 60_000 });
  return textOf(JSON.parse(stdout), "data", "link");
}

async function signIn(browser: Browser, link: string): Promise<Cookies> {
  const context = await browser.newContext();
  // The very first page: the server reads the console for it.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await page.goto(link);
  const button = page.getByRole("button", { name: "Sign in" });
  const isIn = page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
  await Promise.race([button.click().catch(() => undefined), isIn]);
  await isIn;
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}

async function visitOf(browser: Browser, baseUrl: string, look: LookName, cookies: Cookies): Promise<Visit> {
  const { width, height, colorScheme } = looks[look];
  const context = await browser.newContext({ baseURL: baseUrl, viewport: { width, height }, colorScheme });
  context.setDefaultTimeout(60_000);
  await context.addCookies(cookies);
  const complaints: string[] = [];
  await watch(context, baseUrl, complaints);
  const page = await context.newPage();
  const rest = watchRest(page);
  page.on("pageerror", (error) => complaints.push(`page error: ${error.message}`));
  page.on("console", (message) => {
    // A browser logs every refused request as an error; pages show them, which is tested.
    const isAnswer = /the server responded with a status of|net::ERR_/.test(message.text());
    if (message.type() === "error" && !isAnswer) complaints.push(`console: ${message.text()}`);
  });
  return {
    page,
    context,
    complaints,
    async open(path) {
      await page.goto(path);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await rest();
    },
    requireAccessible: () => requireAccessible(page),
    async picture(name) {
      const folder = process.env["ATELIER_TEST_PICTURES"];
      if (folder) await page.screenshot({ path: `${folder}/${name}-${look}.png`, animations: "disabled" });
    },
    async close() {
      await context.close();
      assert.deepEqual(complaints, []);
    },
  };
}

async function watch(context: BrowserContext, baseUrl: string, complaints: string[]): Promise<void> {
  await context.exposeFunction("noteViolation", (text: string) => void complaints.push(`policy: ${text}`));
  await context.addInitScript({
    content: `document.addEventListener("securitypolicyviolation", (event) =>
      window.noteViolation([event.violatedDirective, event.blockedURI, event.sample, event.sourceFile, event.lineNumber,
        event.columnNumber, event.target?.outerHTML?.slice(0, 200)].join(" ")));`,
  });
  const content = /http:\/\/[^;\s]+/.exec(
    (await fetch(`${baseUrl}/console`)).headers.get("content-security-policy") ?? "",
  )?.[0];
  const own = new Set([new URL(baseUrl).origin, content ?? baseUrl]);
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && !own.has(origin)) complaints.push(`foreign request: ${request.url()}`);
  });
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
// Beyond the standard, and parts of it that the checker does not check by default.
const more = [
  ...["label-content-name-mismatch", "page-has-heading-one", "empty-heading", "empty-table-header"],
  ...["heading-order", "landmark-unique"],
];
const checked = {
  runOnly: { type: "tag", values: tags },
  rules: Object.fromEntries(more.map((rule) => [rule, { enabled: true }])),
  resultTypes: ["violations"],
};

async function requireAccessible(page: Page): Promise<void> {
  // A colour in transition is neither the old nor the new one.
  await page.evaluate("for (const it of document.getAnimations()) if (it instanceof CSSTransition) it.finish()");
  await page.evaluate(axe);
  const found = await page.evaluate<{
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  }>(`axe.run(document, ${JSON.stringify(checked)})`);
  const words = found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
  assert.deepEqual(words, []);
}
