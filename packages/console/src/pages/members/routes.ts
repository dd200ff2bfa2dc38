import { searchReader, word } from "../../ui/search-params.ts";
import { pageRoute } from "../root-route.ts";

export const memberRoutes = [
  pageRoute(
    "/console/members",
    () => import("./members-page.tsx"),
    "MembersPage",
    searchReader({ tab: word("services", "keeping") }),
  ),
] as const;
