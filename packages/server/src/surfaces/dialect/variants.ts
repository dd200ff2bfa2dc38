// The variants: where public clients need another shape and not only another name (decisions, section 9: at most eight, each
// declared by the surface that has it). Surfaces and areas get what they need in their own terms.

export type Variant =
  // GET /api/v2/jobs also has its page as `{jobs, next_cursor}`, with `create_time` and `update_time`.
  | "job list"
  // A created key is shown as `comfyui-…` with 72 characters.
  | "shown keys"
  // If nothing is signed, `url_expires_at` is the end of retention instead of null; in events too.
  | "expiry of unsigned URLs"
  // The Location of a signed URL carries its expiry in the query.
  | "expiry hint"
  // Badges of partners also appear under the names of the application's node classes.
  | "badge names"
  // The partner proxy has the tools, the 409s and the headers that the application's partner nodes know.
  | "partner nodes"
  // Below their name of the router, queued calls and estimates have the statuses and bodies of its public document.
  | "router shapes";

export type SurfaceName = "cloud" | "deployment" | "self-hosted";

export const variants: Readonly<Record<SurfaceName, ReadonlySet<Variant>>> = {
  cloud: new Set<Variant>(["job list", "shown keys", "expiry hint", "badge names", "partner nodes", "router shapes"]),
  deployment: new Set<Variant>(["job list", "expiry hint"]),
  "self-hosted": new Set<Variant>(["job list", "expiry of unsigned URLs"]),
};
