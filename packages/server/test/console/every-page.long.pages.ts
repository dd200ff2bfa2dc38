// Every page of the console, in every look, with something on it: accessible, within its width, and without a request
// elsewhere, a policy violation or an error. Also everything that pages open on top of themselves.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { routesOfConsole } from "./console-routes.ts";
import { addressesOf, type Made, makeThings } from "./every-address.ts";
import { layersOf } from "./every-layer.ts";
import type { LookName, Scene, Visit } from "./scene.ts";

const all: readonly LookName[] = ["light", "dark", "phone"];
const wanted = process.env["ATELIER_TEST_LOOKS"]?.split(",");
const looks = all.filter((look) => wanted?.includes(look) ?? true);

export function everyPage(scene: () => Scene): void {
  let made: Promise<Made> | null = null;
  const things = () => {
    made ??= makeThings(scene());
    return made;
  };
  test("every route of the router is visited", () => {
    assert.deepEqual(routesOfConsole(), Object.keys(addressesOf).toSorted());
  });
  for (const look of looks) {
    // One visit for all of them: a person goes from page to page with a warm cache.
    const visits = visitsOf(scene, look);
    describe(`every page with content, ${look}`, () => {
      for (const [route, addresses] of Object.entries(addressesOf))
        test(route, async () => {
          const visit = await visits.own(route.startsWith("/sign-in"));
          for (const path of addresses(await things())) await requireSound(visit, path);
        });
      test("/docs", async () => requireReference(await visits.own(false)));
      for (const [name, opens] of Object.entries(layersOf))
        test(`opened: ${name}`, async () => {
          const visit = await visits.own(false);
          await opens(visit, await things());
          await visit.picture(`layer-${name.replaceAll(/\W+/g, "-")}`);
          await visit.requireAccessible();
          assert.deepEqual(visit.complaints.splice(0), [], name);
        });
      after(() => visits.close());
    });
  }
}

export async function requireSound(visit: Visit, path: string, name = "page"): Promise<void> {
  await visit.open(path);
  await visit.page
    .locator("[class*=skeleton]")
    .first()
    .waitFor({ state: "detached", timeout: 5_000 })
    .catch(() => undefined);
  await visit.picture(
    `${name}${path
      .slice(0, 70)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id")
      .replaceAll(/\W+/g, "-")}`,
  );
  try {
    await visit.requireAccessible();
    const over = Number(await visit.page.evaluate("document.documentElement.scrollWidth - innerWidth"));
    assert.ok(over <= 0, `it is ${over} px too wide`);
    assert.deepEqual(visit.complaints.splice(0), []);
  } catch (thrown) {
    throw new Error(`${path}: ${thrown instanceof Error ? thrown.message : thrown}`);
  }
}

// The whole reference is far too much for one run of the checker: it checks the frame and the first areas, and the others
// are built the same way.
async function requireReference(visit: Visit): Promise<void> {
  await visit.page.goto("/docs");
  await visit.page.getByRole("heading", { level: 1 }).first().waitFor();
  await visit.page.evaluate(
    `document.querySelectorAll("main > section:nth-of-type(n + 3)").forEach((it) => it.remove())`,
  );
  await visit.requireAccessible();
  assert.deepEqual(visit.complaints.splice(0), []);
}

function visitsOf(scene: () => Scene, look: LookName) {
  const open: Partial<Record<"owner" | "guest", Promise<Visit>>> = {};
  return {
    own(isGuest: boolean): Promise<Visit> {
      if (isGuest) open.guest ??= scene().visit(look, { signedIn: false });
      else open.owner ??= scene().visit(look);
      return (isGuest ? open.guest : open.owner) ?? assert.fail("it is open");
    },
    async close() {
      for (const visit of await Promise.all(Object.values(open))) await visit.close();
    },
  };
}
