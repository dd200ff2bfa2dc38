// Everything v2 lets a surface decide. If it is not here, all surfaces behave alike.
import type { Asset, AssetId, ContentRequest, OutsideRange } from "../../capabilities/assets/index.ts";
import type { PoolId } from "../../capabilities/jobs/index.ts";
import type { Arrival, BytesAnswer } from "../../foundation/http/area.ts";
import type { KeyId, WorkspaceId } from "../../foundation/ids.ts";

export interface WorkflowCaller {
  readonly workspaceId: WorkspaceId;
  // Null where no key was used.
  readonly keyId: KeyId | null;
}

// What of a request an absolute link can depend on.
export type LinkArrival = Pick<Arrival, "headers">;

export interface Link {
  readonly url: string;
  readonly expiresAt: Date | null;
}

export interface SurfaceLinks {
  // Asset.url with its real expiry; null where the URL does not carry its own rights.
  asset(asset: Asset, arrival: LinkArrival): Link;
  // Spec, Output URL rule 2: the content endpoint, which asks for the credential.
  output(output: { readonly assetId: AssetId; readonly jobExpiresAt: Date }, arrival: LinkArrival): Link;
}

// The folder of the application beside which a surface stands, on the same machine.
export interface SurfaceFolder {
  // Before any byte has come: throws when a file of this name could not be put at its path.
  requireTarget(filePath: string): Promise<void>;
  // Puts a file that was brought here where the application looks for it; most need not be put anywhere.
  put(asset: Asset): Promise<void>;
  // A file that is there already, to be registered. Throws output_unavailable when it is not.
  open(filePath: string): Promise<{ readonly source: AsyncIterable<Uint8Array>; readonly contentType: string }>;
}

export interface Surface {
  // Throws unauthorized or forbidden.
  authenticate(arrival: Arrival): WorkflowCaller | Promise<WorkflowCaller>;
  // Calls back once when the caller's credential is not good any more; absent where there are none.
  readonly watch?: (caller: WorkflowCaller, lost: () => void) => () => void;
  // Called once per request after authentication; throws rate_limited.
  admit(caller: WorkflowCaller): void | Promise<void>;
  // What stands before /api/v2 in links that are relative to the host; "" where nothing does.
  readonly mountPath: string;
  readonly links: SurfaceLinks;
  // Whose workers run what is submitted here; only the jobs of this pool are seen here.
  readonly poolId: PoolId;
  // Throws when nothing that is submitted now could be run here; absent where there is always a worker.
  readonly requireOpen?: () => Promise<void>;
  // Whether what runs here costs credits: then the header of a job's reads says how many. No body of v2 does.
  readonly hasCredits: boolean;
  // Spec, v2 endpoints: whether GET /workflow shows the executed graph.
  readonly executedGraph: boolean;
  // Absent where the files of applications are not within reach.
  readonly folder?: SurfaceFolder;
  // The content endpoint: a redirection to where the bytes are, or the bytes.
  content(asset: Asset, request: ContentRequest): Promise<BytesAnswer | OutsideRange>;
}
