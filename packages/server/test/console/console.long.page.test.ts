// The console in a real Chromium on a server as it is shipped: the first half of what takes long.
// `npm run test:long -- console`; ATELIER_TEST_PAGES=jobs,models runs only those.
import { accountLooks } from "./account.pages.ts";
import { describeConsole } from "./describe-console.ts";
import { everyPage } from "./every-page.long.pages.ts";
import { foundAgainPages } from "./found-again.long.pages.ts";
import { galleryLongPages } from "./gallery.long.pages.ts";
import { longJobPages } from "./jobs.long.pages.ts";
import { keyboardPages } from "./keyboard.long.pages.ts";
import { modelLongPages } from "./models.long.pages.ts";
import { overviewLooks } from "./overview.pages.ts";
import { personaPages } from "./personas.long.pages.ts";
import { proxyPages } from "./proxy.long.pages.ts";
import { viewerPages } from "./viewer.long.pages.ts";

describeConsole("the console, long", {
  account: accountLooks,
  jobs: longJobPages,
  models: modelLongPages,
  overview: overviewLooks,
  personas: personaPages,
  "found-again": foundAgainPages,
  "every-page": everyPage,
  keyboard: keyboardPages,
  viewer: viewerPages,
  proxy: proxyPages,
  gallery: galleryLongPages,
});
