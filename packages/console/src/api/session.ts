// The browser's identity. The session is a cookie that scripts cannot read. Calls carry a short-lived identity token, made from
// it on demand and kept in memory only: closing the tab forgets it, and no script that comes later can find it.
import { api as words } from "#strings/api";
import { ApiFault, faultOf } from "./fault.ts";
import type { IdentityToken } from "./generated/operations.ts";
import { addressOf } from "./operation.ts";
import { operations } from "./operations.ts";
import { watched } from "./reach.ts";

interface Token {
  readonly text: string;
  readonly expiresAt: number;
}

// A token this close to expiry is replaced before use.
const leadMs = 20_000;

let current: Token | null = null;
let coming: Promise<string | null> | null = null;
let mode: "session" | "token" | "none" = "session";
let onOver: () => void = () => undefined;
// The workspace this page is about, once it is known.
let workspace: string | null = null;

// How this server authorises calls; set once, before the first of them.
export function setAuth(how: typeof mode, whenOver: () => void): void {
  mode = how;
  onOver = whenOver;
}

// A token typed in by a person, where the operator set one; forgotten with the tab.
export function setTypedToken(text: string): void {
  current = { text, expiresAt: Number.POSITIVE_INFINITY };
}

// After signing in, signing out, or switching workspaces, the page takes on whatever comes next.
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
  const response = await watched(fetch(addressOf(operations.createIdentityToken), { method: "POST" }));
  if (response.status === 401) {
    current = null;
    onOver();
  }
  if (!response.ok) throw await faultOf(response);
  const { token, expires_at } = (await response.json()) as IdentityToken;
  requireSameWorkspace(token);
  current = { text: token, expiresAt: new Date(expires_at).getTime() };
  return token;
}

// The session may have changed without the page: another tab switched workspaces, or an owner removed the person from this one.
// The content of the page belongs to the old workspace, so we send none of it to the new one and charge nothing there.
function requireSameWorkspace(token: string): void {
  const claims = token.split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/") ?? "";
  const { workspace: now } = JSON.parse(atob(claims)) as { workspace: string };
  workspace ??= now;
  if (workspace === now) return;
  throw new ApiFault({
    status: 409,
    code: "workspace_changed",
    message: words.workspaceChanged,
  });
}

// Like fetch, but adds the credential for our own server only. A refused token is replaced once.
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
