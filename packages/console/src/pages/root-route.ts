// The root route of all pages. Before any page it loads what server this is and how it authorises calls. The router adds the
// frame around the pages.
import { createRootRoute, createRoute, lazyRouteComponent, type RouteComponent } from "@tanstack/react-router";
import { configQuery } from "../api/config.ts";
import { asFault } from "../api/fault.ts";
import { queries } from "../api/queries.ts";
import { bearer, forgetToken, setAuth, setTypedToken } from "../api/session.ts";
import { isWorkPage, linkKeyFor } from "../api/works/link-key.ts";
import type { GivenSearch } from "../ui/search-params.ts";

export const rootRoute = createRootRoute({
  beforeLoad: async ({ location: { pathname } }) => {
    const config = await queries.ensureQueryData(configQuery);
    if (takeOnLink(pathname)) return;
    setAuth(config.auth, toSignIn);
    if (config.auth === "session" && !pathname.startsWith("/sign-in")) await haveToken();
  },
});

// A page, which loads when it is opened, by its name in its file, and the reader of its search parameters.
export function pageRoute<const Path extends string, Name extends string, Search>(
  path: Path,
  load: () => Promise<Readonly<Record<Name, RouteComponent>>>,
  name: Name,
  validateSearch: (given: GivenSearch) => Search,
) {
  const loadPage = async (): Promise<{ page: RouteComponent }> => ({ page: (await load())[name] });
  const component = lazyRouteComponent(loadPage, "page");
  return createRoute({ getParentRoute: () => rootRoute, path, component, validateSearch });
}

let isOnLink = false;

// A link to a work carries its own key. Nothing but that page uses it.
function takeOnLink(pathname: string): boolean {
  const key = isWorkPage(pathname) ? linkKeyFor(pathname) : null;
  if (key === null) {
    if (isOnLink) forgetToken();
    isOnLink = false;
    return false;
  }
  isOnLink = true;
  setAuth("token", () => undefined);
  setTypedToken(key);
  return true;
}

// Gets a token while the page loads. If the document came without a session, we show no page before there is one: a visitor who
// is sent to sign in should not see an empty frame. (A link from another site arrives without the cookie; the token works all
// the same.)
async function haveToken(): Promise<void> {
  const made = bearer().catch(asFault);
  if (document.documentElement.dataset["frame"] !== "bare") return;
  const token = await made;
  if (typeof token === "object" && token?.status === 401) await new Promise(() => undefined);
}

// The session has ended: sign in, then come back to this page.
function toSignIn(): void {
  const { pathname, search } = location;
  if (pathname.startsWith("/sign-in")) return;
  location.assign(`/sign-in?return_to=${encodeURIComponent(pathname + search)}`);
}
