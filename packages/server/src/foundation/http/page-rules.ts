// Headers that isolate our pages from others: they cannot be framed, share no window and leak no path. Not no-referrer: with
// that, browsers send `Origin: null` with our own forms and calls.
import type { HeaderValues } from "./area.ts";

export const pageRules: HeaderValues = {
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
  "x-frame-options": "DENY",
};
