// Stores what a model made as an asset, so that it appears in the gallery. Bytes are hashed and sent if the server lacks them;
// content at a provider's address is fetched by the server, because a page requests nothing from other hosts.
import type { Asset, ModelResult } from "@atelier/sdk";
import { useEffect, useState } from "react";
import { atelier } from "../../api/atelier.ts";
import { call } from "../../api/client.ts";
import { type ApiFault, asFault } from "../../api/fault.ts";
import { operations } from "../../api/operations.ts";
import type { Medium } from "./found-media.ts";

export type Kept =
  | { readonly is: "off" }
  | { readonly is: "keeping" }
  | { readonly is: "kept"; readonly asset: Asset }
  | { readonly is: "failed"; readonly fault: ApiFault };

export function useKept(
  medium: Medium,
  about: { readonly model: string; readonly result: ModelResult<unknown> },
  isOn: boolean,
) {
  const [state, setState] = useState<Kept>({ is: isOn && medium.assetId === undefined ? "keeping" : "off" });
  const { model, result } = about;
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    // An output of a work is an asset from the start.
    if (medium.assetId !== undefined || (!isOn && turn === 0)) return setState({ is: "off" });
    let isCurrent = true;
    setState({ is: "keeping" });
    keep(medium, model, result).then(
      (asset) => isCurrent && setState({ is: "kept", asset }),
      (thrown) => isCurrent && setState({ is: "failed", fault: asFault(thrown) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [medium, model, result, isOn, turn]);
  return { state, keepNow: () => setTurn((now) => now + 1) };
}

async function keep(medium: Medium, model: string, result: ModelResult<unknown>): Promise<Asset> {
  const { requestId, idempotencyKey } = result;
  const tags = ["playground", model, ...(requestId === null ? [] : [`request:${requestId}`])];
  const name = `${model.replaceAll("/", "-")}-${requestId?.slice(0, 8) ?? "run"}-${medium.name}`.slice(-120);
  if (medium.from === "address") {
    // A call that is collected by its id, after a reload or by another page, has no key here.
    const key = idempotencyKey === null ? {} : { idempotency_key: idempotencyKey };
    return fetched({ url: medium.url, request_id: requestId ?? "", ...key, name, tags });
  }
  return atelier.assets.put(new File([medium.bytes], name, { type: medium.type }), { tags });
}

// The server fetches it, because this page requests nothing from other hosts. Without a request id it refuses and says why.
async function fetched(wanted: {
  url: string;
  request_id: string;
  idempotency_key?: string;
  name: string;
  tags: readonly string[];
}) {
  const name = wanted.name.replaceAll(/[^A-Za-z0-9._-]/g, "_").replace(/^\.+/, "_");
  const json = { ...wanted, name };
  const { asset_id: id } = await call(operations.keepModelOutput, { json });
  return atelier.assets.get(id);
}

const choice = "atelier.playground.keep";

export function readKeeping(): boolean {
  try {
    return localStorage.getItem(choice) !== "off";
  } catch {
    return true;
  }
}

export function writeKeeping(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(choice);
    else localStorage.setItem(choice, "off");
  } catch {
    // Storage is unavailable: the choice lasts only as long as the page.
  }
}
