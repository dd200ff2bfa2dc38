// What goes wrong behind a page, on every page: each panel says so in words, with a way on and the request's id, and
// works again once the cause is over.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { Fault } from "../../src/foundation/fault.ts";
import { until } from "../support/server-process.ts";
import { routesOfConsole } from "./console-routes.ts";
import { addressesOf, makeThings, type Things } from "./every-page.ts";
import { type FaultyFront, openFaultyFront, type Refusal } from "./faulty-front.ts";
import type { Scene, Visit } from "./scene.ts";

const missing = [{ loc: ["query", "limit"], msg: "The limit is no number.", type: "int_parsing" }];

// Each with words that identify it on the page.
const refusals: readonly (readonly [name: string, refusal: Refusal, words: string])[] = [
  ["500", new Fault("internal_error", "Something went wrong on our side."), "Something went wrong on our side."],
  ["401", new Fault("unauthorized", "The credential was refused."), "The credential was refused."],
  ["402", new Fault("insufficient_credits", "The balance is too low."), "The balance is too low."],
  ["403", new Fault("forbidden", "Only an owner may see this."), "Only an owner may see this."],
  ["404", new Fault("not_found", "It was deleted meanwhile."), "It was deleted meanwhile."],
  ["409", new Fault("conflict", "It was changed meanwhile."), "It was changed meanwhile."],
  ["422", new Fault("validation_failed", "The limit is no number.", { details: missing }), "The limit is no number."],
  ["429", new Fault("rate_limited", "Wait a little.", { retryAfterSeconds: 7 }), "Try again in 7 s."],
  ["503", new Fault("service_unavailable", "It is starting.", { retryAfterSeconds: 3 }), "It is starting."],
  ["page", "page", "The server responded with status 502."],
  ["lost", "lost", "Cannot reach the server."],
];

// What the frame requests on every page, and what is only an extra.
const ofFrame = new Set(["/account", "/account/workspaces", "/account/tokens", "/account/session", "/readyz"]);

// Requests whose failure leaves a page whole: what is missing then, and why that is not a state of its own.
const quiet: readonly (readonly [path: RegExp, why: string])[] = [
  [/\/thumbnail$/, "the tile keeps its name and kind; opening it tells what is wrong"],
  [/\/preview$/, "a preview comes and goes while a job runs"],
  [/jobs\/[^/]+(\?tab=live)?: GET .*\/workflow$/, "outputs and progress are whole without the titles of nodes"],
  [/tab=workflow: GET \/api\/v2\/jobs$/, "the jobs that are offered to compare with; any id can be in the address"],
  [/\/permissions$/, "what one may not do is not offered"],
  [/providers: GET \/admin\/checks$|tab=\w+: GET \/admin\/checks$/, "checks have a page of their own"],
  [/requests.*: GET \/account\/(keys|models\/stats)$/, "what filters offer; each can be typed"],
  [/usage: GET \/account\/keys$/, "a key without its name is shown by its id"],
  [/api-keys: GET .*\/members$/, "a key without its maker's name"],
  [/api-keys: GET .*\/caps$/, "told in a sentence in its row, and asked for again"],
  [/^\/: GET \/account\/usage$/, "only decides whether the page begins with a sample"],
  [/^\/: GET \/account\/queue$/, "told in a sentence beside the jobs, and asked for again"],
  [/jobs: GET \/account\/queue$/, "a count on a tab; the rows are all there"],
  [/badges.*: GET \/api\/v2\/node-classes/, "what a list offers while one types; any value can be typed"],
  [/classes.*: GET .*\/badges$/, "classes are listed and described without their prices"],
  [/^\/: GET \/v1\/models\/.*\/openapi\.json$/, "only draws a seed; without it the model does"],
  [
    /^\/: GET \/account\/(models\/works|templates)$/,
    "the gallery's own templates are there; works and workflows have pages",
  ],
  [/models\/.*: GET \/account\/models$/, "the price beside the title; the estimate has its own state"],
  [/models\/.*: GET \/account\/playground-runs$/, "a strip below the result, which is whole without it"],
  [/requests.*: GET \/account\/playground-runs$/, "whether the input is still known; the call can be read without it"],
  [/requests\?peek=.*: GET \/account\/requests\/[^/]+\/bodies$/, "only whether it can be run again with its input"],
  [
    /requests.*: GET \/v1\/models\/.*\/openapi\.json$/,
    "the code and the way to run it again; the call can be read without them",
  ],
  [/jobs\/.*: GET \/api\/v2\/node-classes\/\w+$/, "the colours of links; the graph and its states are whole"],
  [/workflows\/.*: GET \/api\/v2\/jobs\/[^/]+$/, "the pictures of the last run on the nodes"],
  [/gallery.*: GET \/account\/gallery$/, "counts and boards beside the filters; the pictures are all there"],
  [/asset=.*: GET \/account\/assets\/[^/]+\/note$/, "the note's field is not offered, so nothing is overwritten"],
  [/asset=.*: GET \/api\/v2\/assets$/, "the list behind the viewer, which has its own state"],
];
const isQuiet = (path: string, one: string) => quiet.some(([pattern]) => pattern.test(`${path}: ${one}`));

export function faultPages(scene: () => Scene): void {
  describe("faults behind a page", () => {
    let front: FaultyFront;
    let things: Things;
    before(async () => {
      front = await openFaultyFront(scene().baseUrl);
      things = await makeThings(scene());
    });
    after(() => front.close());

    test("every route of the console is visited", () => {
      assert.deepEqual(Object.keys(addressesOf(things)).sort(), [...routesOfConsole()].sort());
    });

    const only = process.env["ATELIER_TEST_ROUTES"]?.split(",");
    for (const route of routesOfConsole().filter((each) => only?.includes(each) ?? true))
      test(`${route}: every refusal is shown, with a way on, and passes`, async () => {
        const visit = await scene().visit("light", { through: front.baseUrl });
        const silent: string[] = [];
        try {
          for (const path of addressesOf(things)[route] ?? []) {
            const own = await askedBy(visit, front, path);
            if ([...own].some((one) => !isQuiet(path, one))) await refuseAll(visit, front, path, own);
            if (own.size > 1)
              for (const one of own)
                if (!isQuiet(path, one) && !(await showsFault(visit, front, path, one))) silent.push(`${path}: ${one}`);
          }
        } finally {
          // A page that is left open keeps sending requests.
          await visit.context.close();
        }
        assert.deepEqual(silent, []);
        // The front is another origin than the server's own, and only the server's own may read the bytes of pictures.
        assert.deepEqual(
          visit.complaints.filter((one) => !/^console: Access to image at .* blocked by CORS policy/.test(one)),
          [],
        );
      });
  });
}

// What the page requests on its own until it comes to rest.
async function askedBy(visit: Visit, front: FaultyFront, path: string): Promise<ReadonlySet<string>> {
  front.refuse(null);
  await visit.page.goto("about:blank");
  front.asked();
  await visit.open(path);
  const own = new Set<string>();
  for (let before = -1; before !== own.size; ) {
    before = own.size;
    await visit.page.waitForTimeout(800);
    for (const one of front.asked().filter(isOwn)) own.add(one);
  }
  return own;
}

const isOwn = (asked: string) => asked.startsWith("GET ") && !ofFrame.has(asked.slice(4));

// Refuses everything the page requests, in one way after another, on the same open page; then nothing.
async function refuseAll(visit: Visit, front: FaultyFront, path: string, own: ReadonlySet<string>): Promise<void> {
  const { page } = visit;
  let now: Refusal = "page";
  // A server that is gone answers nothing at all.
  front.refuse((method, asked) => (now === "lost" || own.has(`${method} ${asked}`) ? now : null));
  for (const [name, refusal, words] of refusals) {
    now = refusal;
    if (name === "500") await visit.page.goto(path);
    else await tryAgain(page);
    await page
      .getByRole("alert")
      .getByText(words)
      .first()
      .waitFor({ timeout: 20_000 })
      .catch(() => {
        return visit
          .picture(`failed-${name}-${fileName(path)}`)
          .then(() => assert.fail(`${path}: ${name} is not told`));
      });
    for (const alert of await page.getByRole("alert").all())
      await requireWayOn(alert, refusal, front, `${path}: ${name}`);
    if (name === "500" || name === "lost") await visit.picture(`fault-${name}-${fileName(path)}`);
  }
  front.refuse(null);
  await tryAgain(page);
  await page
    .getByRole("alert")
    .first()
    .waitFor({ state: "detached", timeout: 20_000 })
    .catch(async () => {
      assert.fail(`${path}: does not work again: ${await page.getByRole("alert").first().textContent()}`);
    });
}

async function requireWayOn(alert: Locator, refusal: Refusal, front: FaultyFront, what: string): Promise<void> {
  const text = (await alert.textContent()) ?? "";
  assert.match(text, /[a-z]{2,}.*[.]/, `${what}: a sentence`);
  const steps = await alert
    .getByRole("button", { name: /^(?!Copy)/ })
    .or(alert.getByRole("link"))
    .count();
  assert.ok(steps > 0, `${what}: a way on, in ${text}`);
  if (typeof refusal === "string") return;
  const ids = await alert
    .locator("code[title]")
    .evaluateAll((found) => found.map((each) => each.getAttribute("title")));
  assert.ok(
    ids.some((id) => id !== null && front.requestIds.has(id)),
    `${what}: the request's id, in ${text}`,
  );
}

// Refuses one request alone: does the page say so?
async function showsFault(visit: Visit, front: FaultyFront, path: string, one: string): Promise<boolean> {
  const [, refusal, words] = refusals[0] ?? assert.fail();
  front.refuse((method, asked) => (`${method} ${asked}` === one ? refusal : null));
  front.asked();
  await visit.page.goto(path);
  await visit.page.getByRole("heading", { level: 1 }).first().waitFor();
  await until(`${path} asks for ${one}`, async () => front.asked().includes(one));
  const isShown = await visit.page
    .getByText(words)
    .first()
    .waitFor({ timeout: 3_000 })
    .then(
      () => true,
      () => false,
    );
  await requireNoWait(visit.page, `${path}: ${one}`);
  front.refuse(null);
  return isShown;
}

// No skeleton stays for ever.
async function requireNoWait(page: Page, what: string): Promise<void> {
  await page
    .locator("main [class*=skeleton]")
    .first()
    .waitFor({ state: "detached", timeout: 20_000 })
    .catch(() => {
      assert.fail(`${what}: waits for ever`);
    });
}

async function tryAgain(page: Page): Promise<void> {
  await page.evaluate(`for (const each of document.querySelectorAll("[role=alert] button"))
    if (each.textContent.trim() === "Try again") each.click()`);
}

const fileName = (path: string) => path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id").replaceAll(/[^a-z0-9]+/g, "-");
