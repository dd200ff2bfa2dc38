// Both segments are checked again before any look-up or address (Spec, Model router): lengths first, so that the
// pattern never sees a long text. A segment that breaks the pattern names no model.
const segment = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/;

export function parseModelId(params: Readonly<Record<string, string>>): string | null {
  const { provider = "", model = "" } = params;
  if (provider.length > 64 || model.length > 128 || !segment.test(provider) || !segment.test(model)) return null;
  return `${provider}/${model}`;
}
