// The first call with a new key, including the key: shown only this once, next to the key itself.
import { type Language, scriptHead } from "../../ui/snippets/clients.ts";

export const firstCallLanguages = ["curl", "typescript", "python"] as const satisfies readonly Language[];
export type FirstCallLanguage = (typeof firstCallLanguages)[number];

interface Facts {
  readonly base: string;
  readonly key: string;
  // Whether the key can reach models; every key may ask who it is.
  readonly hasModels: boolean;
}

const pathOf = ({ hasModels }: Facts): string => (hasModels ? "/v1/models" : "/account");

export const firstCall: Readonly<Record<FirstCallLanguage, (facts: Facts) => string>> = {
  curl: (facts) => `curl ${facts.base}${pathOf(facts)} \\\n  -H "Authorization: Bearer ${facts.key}"`,
  typescript: ({ base, key, hasModels }) => `${scriptHead}
import { Atelier } from "@atelier/sdk";

const atelier = new Atelier({ baseUrl: "${base}", apiKey: "${key}" });
${
  hasModels
    ? "for await (const { id } of atelier.models.list()) console.log(id);"
    : 'console.log(await (await atelier.request("/account")).json());'
}`,
  python: (facts) => `import urllib.request

request = urllib.request.Request("${facts.base}${pathOf(facts)}",
    headers={"Authorization": "Bearer ${facts.key}"})
print(urllib.request.urlopen(request).read().decode())`,
};
