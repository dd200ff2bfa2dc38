// Calls to copy into a shell. The key comes from its environment.
export const firstCall = (base: string): string => curlOf(base, "/v1/models/sandbox/image-1", "a red fox");

// The same model and way of running. The prompt is left open, because we do not show bodies.
export const sameCall = (base: string, model: string, isQueued: boolean): string =>
  curlOf(base, `/v1/models/${model}${isQueued ? "/requests" : ""}`, "…");

const curlOf = (base: string, path: string, prompt: string): string =>
  `curl ${base}${path} \\\n  -H "Authorization: Bearer $ATELIER_API_KEY" \\\n  -H 'Content-Type: application/json' -d '{"prompt": "${prompt}"}'`;
