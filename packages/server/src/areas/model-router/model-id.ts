// Both segments are checked again before any look-up or URL (Spec, Model router): lengths first, so that the pattern never sees
// a long text. A segment that does not match names no model. It is checked as sent, since the alphabet allows no
// percent-encoding either.
const segment = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/;

export function parseModelId(incoming: {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
}): string | null {
  const { provider = "", model = "" } = incoming.params;
  if (incoming.path.includes("%")) return null;
  if (provider.length > 64 || model.length > 128 || !segment.test(provider) || !segment.test(model)) return null;
  return `${provider}/${model}`;
}
