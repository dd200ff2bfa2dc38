// Fault → generic error body, with the statuses of the partner proxy (decisions, section 4). Clients of such proxies
// read a 409 as a problem with the account, so a key reused with another body is a 400. Only a surface whose clients understand a
// 409 answers problems with an Idempotency-Key with it (decisions, section 9). The type checker ensures that every code is mapped.
import { KeyConflict } from "../../capabilities/partner-tasks/index.ts";
import type { FaultCode } from "../../foundation/fault-codes.ts";
import { faultCodes } from "../../foundation/fault-codes.ts";
import { type Envelope, jsonAnswer } from "../../foundation/http/area.ts";

const otherwise: Partial<Readonly<Record<FaultCode, number>>> = {
  idempotency_key_reuse: 400,
  conflict: 400,
  hash_mismatch: 400,
  validation_failed: 400,
  asset_in_use: 400,
  cancelled: 400,
  cancel_refused: 400,
  already_completed: 400,
  too_many_waiters: 429,
  storage_full: 503,
  not_implemented: 500,
};

export function partnerStatus(code: FaultCode): number {
  return otherwise[code] ?? faultCodes[code];
}

// For clients that understand a 409 if it says what became of their key.
export const typedConflicts: Envelope = (fault, about) => {
  if (!(fault instanceof KeyConflict)) return partnerEnvelope(fault, about);
  const error = `idempotency_${fault.conflict}`;
  return jsonAnswer(409, { error, message: fault.message }, { "x-service-error-type": error });
};

export const partnerEnvelope: Envelope = (fault) =>
  jsonAnswer(partnerStatus(fault.code), {
    error: fault.code,
    message: fault.message,
    ...(fault.details === undefined ? {} : { details: fault.details }),
  });
