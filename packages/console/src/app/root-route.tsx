// The root of all pages. Before any page: what server this is, and how it lets calls in.
import { createRootRoute } from "@tanstack/react-router";
import { configQuery } from "../api/config.ts";
import { setAuth } from "../api/session.ts";
import { NotFound, PageFault } from "./page-states.tsx";
import { queries } from "./queries.ts";
import { Shell } from "./shell.tsx";

export const rootRoute = createRootRoute({
  beforeLoad: async () => {
    const config = await queries.ensureQueryData(configQuery);
    setAuth(config.auth, toSignIn);
    return { config };
  },
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: PageFault,
});

// The session is over: sign in, and come back to this page.
function toSignIn(): void {
  const { pathname, search } = location;
  if (pathname.startsWith("/sign-in")) return;
  location.assign(`/sign-in?return_to=${encodeURIComponent(pathname + search)}`);
}
