// A browser that is signed in.
import type { SessionId } from "../principal.ts";

export type SignedInBy = "link" | "oidc";

// How the browser describes itself, so that the person can recognize it.
export interface Browser {
  readonly userAgent: string | null;
  readonly address: string | null;
}

export interface ListedSession extends Browser {
  readonly id: SessionId;
  readonly signedInBy: SignedInBy;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}
