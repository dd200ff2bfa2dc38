import { pageRoute } from "../root-route.ts";
import { readCompareSearch, readModelSearch, readModelsSearch } from "./model-search.ts";

export const modelRoutes = [
  pageRoute("/console/models", () => import("./models-page.tsx"), "ModelsPage", readModelsSearch),
  pageRoute("/console/models/$provider/$model", () => import("./model-page.tsx"), "ModelPage", readModelSearch),
  pageRoute("/console/compare", () => import("./compare-page.tsx"), "ComparePage", readCompareSearch),
] as const;
