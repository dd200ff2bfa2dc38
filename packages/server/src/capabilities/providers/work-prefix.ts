// Works that workspaces publish are models too. Their provider segment begins with this, and no provider's name may, so a work
// can never take the id of a partner's model, present or later. Two characters that read well in a path (/w/…) and that no
// company's name begins with.
export const workPrefix = "w.";

export function isWorkId(id: string): boolean {
  return id.startsWith(workPrefix);
}
