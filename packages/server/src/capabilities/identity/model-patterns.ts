// Allow patterns of models: `*`, `provider/*` or one id.
export function allows(patterns: ReadonlySet<string> | null, modelId: string): boolean {
  if (patterns === null) return false;
  if (patterns.has("*") || patterns.has(modelId)) return true;
  return patterns.has(`${modelId.slice(0, modelId.indexOf("/"))}/*`);
}
