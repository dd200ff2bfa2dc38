// The request that every gateway of the router bench gets, and the definition of the provider behind ours.
export const providerPath = "/v1/images/generations";

export const requestBody = JSON.stringify({
  model: "bench-model",
  prompt: "a harbour in the morning ".repeat(72),
  size: "1024x1024",
  n: 1,
  seed: 1_234_567_890,
  quality: "standard",
  user: "bench",
});

export const inputSchema = {
  type: "object",
  additionalProperties: false,
  required: ["prompt"],
  properties: {
    model: { type: "string", maxLength: 100 },
    prompt: { type: "string", minLength: 1, maxLength: 4000 },
    size: { enum: ["512x512", "1024x1024"] },
    n: { type: "integer", minimum: 1, maximum: 4 },
    seed: { type: "integer", minimum: 0 },
    quality: { enum: ["standard", "high"] },
    user: { type: "string", maxLength: 200 },
  },
};

export function providerDefinition(providerUrl: string) {
  const model = (name: string, usd: string, input: object | null) => ({
    model: name,
    released: true,
    submit: { path: providerPath, encoding: "json" },
    result: ["/data/0/url"],
    price: { usd },
    charges_on_policy_rejection: "no",
    input_schema: input,
    recovery: "neither",
    longest_run_seconds: 600,
  });
  return {
    provider: "bench",
    base_url: providerUrl,
    credential: { kind: "none" },
    models: [model("free", "0", inputSchema), model("priced", "0.00001", inputSchema), model("open", "0", null)],
  };
}
