// The state that a browser keeps while its person is at the issuer. SameSite=Lax, because the way back is a navigation from
// another site, which does not send a strict cookie. Over https it has the `__Host-` prefix, so that no other host can plant
// one. Nothing in it is secret from the browser, and nothing in it is trusted without the issuer's answer.
import type { OidcFlow } from "../../../capabilities/oidc/index.ts";
import { ownPath } from "./own-path.ts";

export interface KeptFlow extends OidcFlow {
  readonly returnTo: string;
}

export interface OidcCookie {
  read(cookieHeader: string | undefined): KeptFlow | null;
  set(flow: KeptFlow): string;
  clear(): string;
}

const keptSeconds = 600;
const textPattern = /^[\w-]{43}$/;

export function oidcCookie(isHttps: boolean): OidcCookie {
  const name = isHttps ? "__Host-atelier_oidc" : "atelier_oidc";
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`;
  return {
    read(cookieHeader) {
      const values = (cookieHeader ?? "")
        .split(";")
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${name}=`));
      // If there are two, one of them is not ours.
      return values.length === 1 ? readFlow((values[0] ?? "").slice(name.length + 1)) : null;
    },
    set({ state, nonce, verifier, returnTo }) {
      const value = Buffer.from(JSON.stringify([state, nonce, verifier, returnTo])).toString("base64url");
      return `${name}=${value}; ${attributes}; Max-Age=${keptSeconds}`;
    },
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}

function readFlow(text: string): KeptFlow | null {
  if (text.length > 4_096) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (!Array.isArray(value)) return null;
    const [state, nonce, verifier, returnTo] = value.map((one: unknown) => (typeof one === "string" ? one : ""));
    if (![state, nonce, verifier].every((one) => textPattern.test(one ?? ""))) return null;
    return { state: state ?? "", nonce: nonce ?? "", verifier: verifier ?? "", returnTo: ownPath(returnTo) };
  } catch {
    return null;
  }
}
