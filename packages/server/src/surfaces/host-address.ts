// The base URL for absolute links: the public URL if one is set, else the Host that the caller used, which the HTTP entrance
// has checked against its list.
import type { Arrival } from "../foundation/http/area.ts";

export type PublicUrl = () => string | null;

export function hostAddress(publicUrl: PublicUrl, arrival: Pick<Arrival, "headers">): string {
  return publicUrl() ?? `http://${arrival.headers.host ?? "127.0.0.1"}`;
}
