// The session cookie. Always HttpOnly and SameSite=Strict; over https it has the `__Host-` prefix, which makes a browser refuse
// a cookie that another host, a sub-path or plain http tries to plant under its name.
const secureName = "__Host-atelier_session";
const plainName = "atelier_session";

export interface SessionCookie {
  // Null if there is none, or if there are two: then one of them is not ours.
  read(cookieHeader: string | undefined): string | null;
  set(token: string, expiresAt: Date, now: Date): string;
  clear(): string;
}

export function sessionCookie(isHttps: boolean): SessionCookie {
  const name = isHttps ? secureName : plainName;
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isHttps ? "; Secure" : ""}`;
  return {
    read(cookieHeader) {
      const values = (cookieHeader ?? "")
        .split(";")
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${name}=`))
        .map((pair) => pair.slice(name.length + 1));
      return values.length === 1 ? (values[0] ?? null) : null;
    },
    set(token, expiresAt, now) {
      const seconds = Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1000));
      return `${name}=${token}; ${attributes}; Max-Age=${seconds}`;
    },
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}
