// The generic error body {error, message} of price badges, partner proxy, registry and our own account and admin areas.

import type { Envelope } from "./area.ts";
import { jsonAnswer } from "./area.ts";

export const genericEnvelope: Envelope = (fault) =>
  jsonAnswer(fault.status, {
    error: fault.code,
    message: fault.message,
    ...(fault.details === undefined ? {} : { details: fault.details }),
  });
