// The generic error body {error, message}, used by price badges, the partner proxy, the registry and our account and admin
// areas.

import type { Envelope } from "./area.ts";
import { jsonAnswer } from "./area.ts";

export const genericEnvelope: Envelope = (fault) =>
  jsonAnswer(fault.status, {
    error: fault.code,
    message: fault.message,
    ...(fault.details === undefined ? {} : { details: fault.details }),
  });
