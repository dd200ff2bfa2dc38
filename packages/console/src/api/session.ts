// The browser's identity. The session is a cookie that scripts cannot read. Calls carry a short-lived identity token, made from
// it on demand and kept in memory only: closing the tab forgets it, and no script that comes later can find it.
import type { CreatedToken } from "@atelier/sdk";
import { api as words } from "#strings/api";
import { ApiFault, faultOf } from "./fault.ts";
import { addressOf } from "./operation.ts";
import { operations } from "./operations.ts";
import { watched } from "./reach.ts";

export interface SessionDeps {
  readonly fetch: typeof fetch;
  // The address of the page.
  readonly href: () => string;
  readonly now: () => number;
}

type Mode = "session" | "token" | "none";

interface Token {
  readonly text: string;
  readonly expiresAt: number;
}

// A token this close to expiry is replaced before use.
const leadMs = 20_000;

export class Session {
  #current: Token | null = null;
  #coming: Promise<string | null> | null = null;
  #mode: Mode = "session";
  #onOver: () => void = () => undefined;
  // The workspace this page is about, once it is known.
  #workspace: string | null = null;
  readonly #deps: SessionDeps;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  // How this server authorises calls; set once, before the first of them.
  readonly setAuth = (how: Mode, whenOver: () => void): void => {
    this.#mode = how;
    this.#onOver = whenOver;
  };

  // A token typed in by a person, where the operator set one; forgotten with the tab.
  readonly setTypedToken = (text: string): void => {
    this.#current = { text, expiresAt: Number.POSITIVE_INFINITY };
  };

  // After signing in, signing out, or switching workspaces, the page takes on the session that comes next.
  readonly forgetToken = (): void => {
    this.#current = null;
    this.#workspace = null;
  };

  readonly bearer = async (): Promise<string | null> => {
    if (this.#mode === "none") return null;
    if (this.#current !== null && this.#current.expiresAt - leadMs > this.#deps.now()) return this.#current.text;
    if (this.#mode === "token") return null;
    this.#coming ??= this.#exchange().finally(() => {
      this.#coming = null;
    });
    return this.#coming;
  };

  // Like fetch, but adds the credential for our own server only. A refused token is replaced once.
  readonly authorisedFetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const page = this.#deps.href();
    const url = new URL(input instanceof Request ? input.url : input, page);
    if (url.origin !== new URL(page).origin) return this.#deps.fetch(input, init);
    const first = await this.#withToken(input, init);
    if (first.status !== 401 || this.#mode === "none") return first;
    this.#current = null;
    if (this.#mode === "token") {
      this.#onOver();
      return first;
    }
    return this.#withToken(input, init);
  };

  async #exchange(): Promise<string | null> {
    const response = await this.#deps.fetch(addressOf(operations.createIdentityToken), { method: "POST" });
    if (response.status === 401) {
      this.#current = null;
      this.#onOver();
    }
    if (!response.ok) throw await faultOf(response);
    const { token, expires_at } = (await response.json()) as CreatedToken;
    this.#requireSameWorkspace(token);
    this.#current = { text: token, expiresAt: new Date(expires_at).getTime() };
    return token;
  }

  // The session may have changed without the page: another tab switched workspaces, or an owner removed the person from this
  // one. The content of the page belongs to the old workspace, so we send none of it to the new one and charge nothing there.
  #requireSameWorkspace(token: string): void {
    const claims = token.split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/") ?? "";
    const { workspace } = JSON.parse(atob(claims)) as { workspace: string };
    this.#workspace ??= workspace;
    if (this.#workspace === workspace) return;
    throw new ApiFault({ status: 409, code: "workspace_changed", message: words.workspaceChanged });
  }

  async #withToken(input: RequestInfo | URL, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    const token = await this.bearer();
    if (token !== null) headers.set("authorization", `Bearer ${token}`);
    return this.#deps.fetch(input, { ...init, headers });
  }
}

export const { setAuth, setTypedToken, forgetToken, bearer, authorisedFetch } = new Session({
  fetch: (input, init) => watched(fetch(input, init)),
  href: () => location.href,
  now: Date.now,
});
