// The second half of what takes long, on a server of its own. `npm run test:long -- console`
import { causeLongPages } from "./causes.long.pages.ts";
import { changePages } from "./changes.long.pages.ts";
import { crowdedPages } from "./crowded.long.pages.ts";
import { describeConsole } from "./describe-console.ts";
import { faultPages } from "./faults.long.pages.ts";
import { firstDayPages } from "./first-day.long.pages.ts";
import { hostilePages } from "./hostile.long.pages.ts";
import { openedPages } from "./opened.long.pages.ts";
import { requestLooks } from "./requests.pages.ts";
import { walkPages } from "./walk.long.pages.ts";
import { workLooks } from "./works.long.pages.ts";

describeConsole("the console, long, second half", {
  faults: faultPages,
  hostile: hostilePages,
  opened: openedPages,
  causes: causeLongPages,
  changes: changePages,
  requests: requestLooks,
  works: workLooks,
  walk: walkPages,
  crowded: crowdedPages,
  "first-day": firstDayPages,
});
