import { readRange } from "../../ui/range/range.ts";
import { pageRoute } from "../root-route.ts";

export const errorRoutes = [
  pageRoute("/console/errors", () => import("./errors-page.tsx"), "ErrorsPage", readRange),
] as const;
