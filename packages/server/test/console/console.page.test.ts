// The short set, first half: the frame, what a new workspace sees, models, requests, keys, budgets and webhook endpoints.
import { budgetPages } from "./budgets.pages.ts";
import { describeConsole } from "./describe-console.ts";
import { endpointPages } from "./endpoints.pages.ts";
import { keysPages } from "./keys.pages.ts";
import { modelPages } from "./models.pages.ts";
import { overviewPages } from "./overview.pages.ts";
import { peoplePages } from "./people.pages.ts";
import { planPages } from "./plans.pages.ts";
import { requestPages } from "./requests.pages.ts";
import { shellPages } from "./shell.pages.ts";
import { signInPages } from "./sign-in.pages.ts";
import { templatePages } from "./templates.pages.ts";

describeConsole("the console", {
  shell: shellPages,
  // Must come before the suites that create something: it begins with nothing.
  overview: overviewPages,
  templates: templatePages,
  models: modelPages,
  requests: requestPages,
  "sign-in": signInPages,
  keys: keysPages,
  budgets: budgetPages,
  endpoints: endpointPages,
  people: peoplePages,
  plans: planPages,
});
