// Addresses within v2, relative to the host and with the surface's mount path: callers follow them and build none.
import type { AssetId } from "../../capabilities/assets/index.ts";

export const assetPath = (assetId: AssetId): `/${string}` => `/api/v2/assets/${assetId}`;
export const contentPath = (assetId: AssetId): `/${string}` => `${assetPath(assetId)}/content`;
