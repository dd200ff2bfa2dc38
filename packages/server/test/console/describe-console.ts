// The console in a real Chromium on a server as it is shipped. ATELIER_TEST_PAGES=jobs,models runs only those suites.
import { after, before, describe } from "node:test";
import { openScene, type Scene, skip } from "./scene.ts";

const wanted = process.env["ATELIER_TEST_PAGES"]?.split(",");

// The suites run in this order, on one server.
export function describeConsole(name: string, suites: Readonly<Record<string, (scene: () => Scene) => void>>): void {
  const chosen = Object.entries(suites).filter(([suite]) => wanted?.includes(suite) ?? true);
  const why = chosen.length === 0 ? "ATELIER_TEST_PAGES names none of these suites" : skip;
  describe(name, { skip: why }, () => {
    let scene: Scene;
    before(async () => {
      scene = await openScene();
    });
    after(() => scene.close());
    for (const [, suite] of chosen) suite(() => scene);
  });
}
