// Who the browser is. The session is a cookie that scripts cannot read; what calls carry is a short identity token, made
// from it when it is needed, and kept in memory only: closing the tab forgets it, and no script that comes later finds it.
import { ApiFault, faultOf } from "./fault.ts";
import { watched } from "./reach.ts";

interface Token {
  readonly text: string;
  readonly expiresAt: number;
}

// A token this close to its end is replaced before it is used.
const leadMs = 20_000;

let current: Token | null = null;
let coming: Promise<string | null> | null = null;
let mode: "session" | "token" | "none" = "session";
let onOver: () => void = () => undefined;
// The workspace that the page is about, once it is known.
let workspace: string | null = null;

// How this server lets calls in; asked once, before the first of them.
export function setAuth(how: typeof mode, whenOver: () => void): void {
  mode = how;
  onOver = whenOver;
}

// A token that a person typed in, where the operator set one; gone with the tab.
export function setTypedToken(text: string): void {
  current = { text, expiresAt: Number.POSITIVE_INFINITY };
}

// After signing in, signing out, or choosing another workspace: the page is about whatever comes next.
export function forgetToken(): void {
  current = null;
  workspace = null;
}

export async function bearer(): Promise<string | null> {
  if (mode === "none") return null;
  if (current !== null && current.expiresAt - leadMs > Date.now()) return current.text;
  if (mode === "token") return null;
  coming ??= exchange().finally(() => {
    coming = null;
  });
  return coming;
}

async function exchange(): Promise<string | null> {
  const response = await watched(fetch("/account/tokens", { method: "POST" }));
  if (response.status === 401) {
    current = null;
    onOver();
  }
  if (!response.ok) throw await faultOf(response);
  const { token, expires_at } = (await response.json()) as { token: string; expires_at: string };
  requireSameWorkspace(token);
  current = { text: token, expiresAt: new Date(expires_at).getTime() };
  return token;
}

// The session may have moved behind the page: another tab chose another workspace, or an owner took the person out of this
// one. What stands on the page is not of there, so that nothing of it is sent there, nor paid by it.
function requireSameWorkspace(token: string): void {
  const claims = token.split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/") ?? "";
  const { workspace: now } = JSON.parse(atob(claims)) as { workspace: string };
  workspace ??= now;
  if (workspace === now) return;
  throw new ApiFault({
    status: 409,
    code: "workspace_changed",
    message: "This browser is in another workspace now. Nothing was sent. Load the page again to go on there.",
  });
}

// As fetch, with the credential added for our own server only. A token that was refused is replaced once.
export async function authorisedFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input, location.href);
  if (url.origin !== location.origin) return fetch(input, init);
  const first = await withToken(input, init);
  if (first.status !== 401 || mode === "none") return first;
  current = null;
  if (mode === "token") {
    onOver();
    return first;
  }
  return withToken(input, init);
}

async function withToken(input: RequestInfo | URL, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const token = await bearer();
  if (token !== null) headers.set("authorization", `Bearer ${token}`);
  return watched(fetch(input, { ...init, headers }));
}
