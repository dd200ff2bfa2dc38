// Works that workspaces publish are models too. Their provider segment begins with this, and no provider's name may, so a work
// can never take the id of a partner's model, present or later. Two characters that read well in a path (/w/…) and that no
// company's name begins with.
export const workPrefix = "w.";

export function isWorkId(id: string): boolean {
  return id.startsWith(workPrefix);
}

// Routes are models too, under a provider's name that no provider may have.
const routeProvider = "route";

export const routeIdOf = (name: string) => `${routeProvider}/${name}`;

export function isRouteId(id: string): boolean {
  return id.startsWith(`${routeProvider}/`);
}

// Null if a provider may be called this.
export function reservedFor(provider: string): string | null {
  if (isWorkId(provider)) return `must not begin with ${workPrefix}, which is reserved for works`;
  return provider === routeProvider ? "must not be route, which is reserved for routes" : null;
}
