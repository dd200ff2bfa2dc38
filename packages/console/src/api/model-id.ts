// A model's id is "provider/model"; the operations take the two parts.
export function modelParams(id: string): { readonly provider: string; readonly model: string } {
  const [provider = "", ...rest] = id.split("/");
  return { provider, model: rest.join("/") };
}
