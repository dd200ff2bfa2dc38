// Where callers reach us, for links that must be absolute: the public address if one is set, else the Host they used,
// which the HTTP entrance has compared with its list.
import type { Arrival } from "../foundation/http/area.ts";

export type PublicUrl = () => string | null;

export function hostAddress(publicUrl: PublicUrl, arrival: Pick<Arrival, "headers">): string {
  return publicUrl() ?? `http://${arrival.headers.host ?? "127.0.0.1"}`;
}
