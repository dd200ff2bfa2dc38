// Things that are changed with the ETag they were read with.
import { parseJson } from "../exact-json.ts";

export const matching = ({ ifMatch }: { readonly ifMatch?: string }): Readonly<Record<string, string>> =>
  ifMatch === undefined ? {} : { "if-match": ifMatch };

export async function withEtag<Body extends object>(response: Response): Promise<Body & { readonly etag: string }> {
  return { ...(parseJson(await response.text()) as Body), etag: response.headers.get("etag") ?? "" };
}
