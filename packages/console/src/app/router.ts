// All pages. Each folder of pages has its own routes, whose components load when opened; a page's filters are typed search
// parameters of its route.
import { createRouter } from "@tanstack/react-router";
import { takeLinkKey } from "../api/works/link-key.ts";
import { badgeRoutes } from "../pages/badges/routes.ts";
import { classRoutes } from "../pages/classes/routes.ts";
import { errorRoutes } from "../pages/errors/routes.ts";
import { galleryRoutes } from "../pages/gallery/routes.ts";
import { jobRoutes } from "../pages/jobs/routes.ts";
import { keyRoutes } from "../pages/keys/routes.ts";
import { memberRoutes } from "../pages/members/routes.ts";
import { modelRoutes } from "../pages/models/routes.ts";
import { nodeRoutes } from "../pages/nodes/routes.ts";
import { operateRoutes } from "../pages/operate/routes.ts";
import { overviewRoutes } from "../pages/overview/routes.ts";
import { planRoutes } from "../pages/plans/routes.ts";
import { profileRoutes } from "../pages/profile/routes.ts";
import { requestRoutes } from "../pages/requests/routes.ts";
import { rootRoute } from "../pages/root-route.ts";
import { runWorkRoutes } from "../pages/run-work/routes.ts";
import { signInRoutes } from "../pages/sign-in/routes.ts";
import { templateRoutes } from "../pages/templates/routes.ts";
import { usageRoutes } from "../pages/usage/routes.ts";
import { webhookRoutes } from "../pages/webhooks/routes.ts";
import { workflowRoutes } from "../pages/workflows/routes.ts";
import { workRoutes } from "../pages/works/routes.ts";
import { goTo } from "./going.ts";
import { NotFound, PageFault } from "./page-states.tsx";
import { Shell } from "./shell.tsx";

// Before the router reads the address.
takeLinkKey();

rootRoute.update({ component: Shell, notFoundComponent: NotFound, errorComponent: PageFault });

const routeTree = rootRoute.addChildren([
  ...overviewRoutes,
  ...modelRoutes,
  ...workflowRoutes,
  ...templateRoutes,
  ...workRoutes,
  ...runWorkRoutes,
  ...classRoutes,
  ...jobRoutes,
  ...requestRoutes,
  ...errorRoutes,
  ...webhookRoutes,
  ...galleryRoutes,
  ...usageRoutes,
  ...keyRoutes,
  ...memberRoutes,
  ...planRoutes,
  ...nodeRoutes,
  ...badgeRoutes,
  ...operateRoutes,
  ...profileRoutes,
  ...signInRoutes,
]);

export const router = createRouter({
  routeTree,
  // Prefetch a page's code when the pointer rests on its link: not when it only crosses it, and not during the click.
  defaultPreload: "intent",
  defaultPreloadDelay: 60,
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

// For another page, respond to the click first, then render the page. Filters of the same page change immediately; those of a
// page that the person is already leaving (a search field reports when typing pauses) would bring them back, and change nothing.
const navigate: typeof router.navigate = router.navigate;
router.navigate = (async (options: Parameters<typeof navigate>[0]) => {
  const { pathname } = router.buildLocation(options as Parameters<typeof router.buildLocation>[0]);
  if (pathname === router.latestLocation.pathname) return navigate(options);
  if (options.to === undefined && options.href === undefined) return;
  await goTo(pathname, () => navigate(options));
}) as typeof navigate;

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
