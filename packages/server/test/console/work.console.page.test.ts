// The short set, second half: jobs, saved workflows, works, the gallery, publishing and operating. On its own server, so that both halves run at once.
import { causePages } from "./causes.pages.ts";
import { describeConsole } from "./describe-console.ts";
import { editorPages } from "./editor.pages.ts";
import { galleryPages } from "./gallery.pages.ts";
import { installationPages } from "./installation.pages.ts";
import { jobPages } from "./jobs.pages.ts";
import { operatePages } from "./operate.pages.ts";
import { publishPages } from "./publish.pages.ts";
import { savedPages } from "./saved.pages.ts";
import { waitingPages } from "./waiting.pages.ts";
import { worksPages } from "./works.pages.ts";

describeConsole("the console, at work", {
  jobs: jobPages,
  saved: savedPages,
  works: worksPages,
  waiting: waitingPages,
  gallery: galleryPages,
  publish: publishPages,
  operate: operatePages,
  installation: installationPages,
  causes: causePages,
  editor: editorPages,
});
