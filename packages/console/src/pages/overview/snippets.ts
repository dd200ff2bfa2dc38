// The sample as a command.
export function sampleCurl(base: string, model: string, prompt: string): string {
  const body = JSON.stringify({ prompt });
  return `curl ${base}/v1/models/${model} \\\n  -H "Authorization: Bearer $ATELIER_API_KEY" \\\n  -H 'Content-Type: application/json' -d '${body}'`;
}
