// Made from the contract by `npm run openapi`; a test compares. For each role, the roles that it includes.
export const includedRoles: Readonly<Record<string, readonly string[]>> = {
  viewer: ["viewer"],
  member: ["viewer", "member"],
  billing: ["viewer", "billing"],
  owner: ["viewer", "member", "billing", "owner"],
  auditor: ["auditor"],
  operator: ["auditor", "operator"],
};
