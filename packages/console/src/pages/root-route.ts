// The route that all pages hang below. Before any page: what server this is, and how it lets calls in. The frame around the
// pages is given to it where the router is made.
import { createRootRoute } from "@tanstack/react-router";
import { configQuery } from "../api/config.ts";
import { asFault } from "../api/fault.ts";
import { queries } from "../api/queries.ts";
import { bearer, setAuth } from "../api/session.ts";

export const rootRoute = createRootRoute({
  beforeLoad: async ({ location: { pathname } }) => {
    const config = await queries.ensureQueryData(configQuery);
    setAuth(config.auth, toSignIn);
    if (config.auth === "session" && !pathname.startsWith("/sign-in")) await haveToken();
  },
});

// A token is made while the page is fetched. Where the document came without a session, no page is shown before there is
// one: a visitor who is sent to sign in sees no frame that has nothing in it. (A link from elsewhere comes without the
// cookie; the token is made all the same.)
async function haveToken(): Promise<void> {
  const made = bearer().catch(asFault);
  if (document.documentElement.dataset["frame"] !== "bare") return;
  const token = await made;
  if (typeof token === "object" && token?.status === 401) await new Promise(() => undefined);
}

// The session is over: sign in, and come back to this page.
function toSignIn(): void {
  const { pathname, search } = location;
  if (pathname.startsWith("/sign-in")) return;
  location.assign(`/sign-in?return_to=${encodeURIComponent(pathname + search)}`);
}
