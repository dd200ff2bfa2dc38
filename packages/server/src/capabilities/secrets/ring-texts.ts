import type { SecretTexts } from "../../foundation/known-secrets.ts";
import type { LiveKeyRing } from "./key-ring.ts";

// As written in the ring's file; other spellings of the same bytes are found as well.
export function secretsOfRing(ring: Pick<LiveKeyRing, "keys" | "further">): () => SecretTexts {
  let seen: readonly [unknown, unknown] = [null, null];
  let texts: SecretTexts = [];
  return () => {
    const [keys, further] = [ring.keys(), ring.further()];
    if (keys !== seen[0] || further !== seen[1]) {
      seen = [keys, further];
      texts = [...keys, ...further].flatMap(({ secret }) => [
        secret.toString("base64url"),
        secret.toString("base64"),
        secret.toString("hex"),
      ]);
    }
    return texts;
  };
}
