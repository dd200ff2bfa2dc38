import { searchReader, text, word } from "../../ui/search-params.ts";
import { pageRoute } from "../root-route.ts";
import { jobTabs, statusTabs } from "./tabs.ts";

export const jobRoutes = [
  // A job's id, a label, or key=value pairs.
  pageRoute(
    "/console/jobs",
    () => import("./jobs-page.tsx"),
    "JobsPage",
    searchReader({ status: word(...statusTabs), q: text() }),
  ),
  // `diff` is the job to compare with.
  pageRoute(
    "/console/jobs/$jobId",
    () => import("./job-page.tsx"),
    "JobPage",
    searchReader({ tab: word(...jobTabs), node: text(), diff: text() }),
  ),
] as const;
