import { integerFrom, searchReader, text, word } from "../../ui/search-params.ts";
import { pageRoute } from "../root-route.ts";

export const nodeRoutes = [
  pageRoute(
    "/console/nodes",
    () => import("./nodes-page.tsx"),
    "NodesPage",
    searchReader({
      tab: word("yours", "review"),
      show: word("flagged"),
      q: text(200),
      page: integerFrom(2),
      publisher: text(200),
    }),
  ),
  pageRoute(
    "/console/nodes/$nodeId",
    () => import("./node-page.tsx"),
    "NodePage",
    searchReader({ tab: word("classes", "readme", "versions"), version: text(200) }),
  ),
] as const;
