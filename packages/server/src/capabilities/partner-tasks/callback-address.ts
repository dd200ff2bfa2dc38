// The address where a partner reports about a task. Only we can make one: the signature covers the partner and the task,
// under a ring key that outlives the longest task. The address is not a secret of the caller. It only lets its holder
// report on this one task, and the report must also be signed by the partner.
import { createHmac, timingSafeEqual } from "node:crypto";
import { isLoopback } from "../../foundation/http/loopback-guard.ts";
import type { KeyRing } from "../secrets/index.ts";
import type { TaskId } from "./task.ts";

const callbackPurpose = "partner-callback";

export interface CallbackAddresses {
  pathOf(partner: string, taskId: TaskId): string;
  isGenuine(partner: string, taskId: string, token: string): boolean;
}

export function callbackAddresses(ring: KeyRing): CallbackAddresses {
  const signature = (secret: Buffer, partner: string, taskId: string) =>
    createHmac("sha256", secret).update(`v1\npartner callback\n${partner}\n${taskId}`).digest();
  return {
    pathOf(partner, taskId) {
      const { id, secret } = ring.current(callbackPurpose);
      return `/callbacks/${partner}/${taskId}/${id}.${signature(secret, partner, taskId).toString("base64url")}`;
    },
    isGenuine(partner, taskId, token) {
      const [, keyId, text] = /^([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? [];
      const key = ring.verifying(callbackPurpose).find(({ id }) => id === keyId);
      const given = Buffer.from(text ?? "", "base64url");
      if (!key || given.length !== 32 || given.toString("base64url") !== text) return false;
      return timingSafeEqual(given, signature(key.secret, partner, taskId));
    },
  };
}

// A remote partner cannot call a URL that only this machine can reach. Then we send none, and poll.
export function callbackBase(ownUrl: string, partnerUrl: string | null): string | null {
  const nameOf = (url: string) => (URL.parse(url)?.hostname ?? "").replace(/^\[|\]$/g, "");
  const isLocal = (url: string) => isLoopback(nameOf(url)) || nameOf(url) === "localhost";
  return partnerUrl !== null && isLocal(ownUrl) && !isLocal(partnerUrl) ? null : ownUrl.replace(/\/+$/, "");
}
