// The catalog, one model, and what can go wrong.
import { Atelier, ContentPolicyViolation, InvalidInput } from "@atelier/sdk";

const atelier = new Atelier(); // ATELIER_URL, ATELIER_API_KEY

for await (const model of atelier.models.list()) console.log(model.id, model.billing.charges_on_policy_rejection);

// Native JSON in, native JSON out; a seed keeps all its digits in both directions.
const { data, creditsUsed, requestId } = await atelier.models.run("sandbox/text-1", {
  prompt: "a haiku about an atelier",
  seed: 18446744073709551615n,
});
// The type of `data` comes from `atelier models types -o models.d.ts`; without it, it is unknown.
console.log(data);
console.log(`request ${requestId}, ${creditsUsed ?? 0} credits`);

// Failures are classes with facts.
try {
  await atelier.models.run("sandbox/image-1", { prompt: "a fox", width: -1 });
} catch (error) {
  if (error instanceof InvalidInput)
    for (const { loc, msg } of error.fields) console.log(`refused, not billed: ${loc.slice(1).join(".")} ${msg}`);
  else if (error instanceof ContentPolicyViolation) console.log("refused by the model", error.billed);
  else throw error;
}
