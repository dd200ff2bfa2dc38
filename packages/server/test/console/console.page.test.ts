// The console in a real Chromium on a server as it is shipped: the short set. ATELIER_TEST_PAGES=jobs,models runs only
// those.
import { after, before, describe } from "node:test";
import { causePages } from "./causes.pages.ts";
import { galleryPages } from "./gallery.pages.ts";
import { jobPages } from "./jobs.pages.ts";
import { keysPages } from "./keys.pages.ts";
import { modelPages } from "./models.pages.ts";
import { operatePages } from "./operate.pages.ts";
import { overviewPages } from "./overview.pages.ts";
import { publishPages } from "./publish.pages.ts";
import { requestPages } from "./requests.pages.ts";
import { openScene, type Scene, skip } from "./scene.ts";
import { shellPages } from "./shell.pages.ts";
import { signInPages } from "./sign-in.pages.ts";
import { waitingPages } from "./waiting.pages.ts";

const suites: Readonly<Record<string, (scene: () => Scene) => void>> = {
  shell: shellPages,
  // Must come before the suites that create something: it begins with nothing.
  overview: overviewPages,
  models: modelPages,
  requests: requestPages,
  "sign-in": signInPages,
  keys: keysPages,
  jobs: jobPages,
  waiting: waitingPages,
  gallery: galleryPages,
  publish: publishPages,
  operate: operatePages,
  causes: causePages,
};

const wanted = process.env["ATELIER_TEST_PAGES"]?.split(",");

describe("the console", { skip }, () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene();
  });
  after(() => scene.close());
  for (const [name, suite] of Object.entries(suites)) if (wanted?.includes(name) ?? true) suite(() => scene);
});
