// Refused credentials on this server, as operators read them.
import { type Example, time } from "./example.ts";

const refused = {
  refused_by: "partner partner-a",
  setting: "ATELIER_PROVIDER_PARTNER_A_KEY",
  provider_status: 401,
  provider_words: "The key *** was revoked",
  times: 3,
  last_at: time,
};

export const refusedCredentialExamples: Record<string, Example> = {
  RefusedCredential: { good: refused, broken: { setting: "", provider_status: 99, times: 0, last_at: null } },
  RefusedCredentialList: { good: { data: [refused] }, broken: { data: undefined, "data.0.refused_by": null } },
};
