// Everything that v2 lets a surface decide. All surfaces behave alike in everything else.
import type { Asset, AssetId, ContentRequest, OutsideRange } from "../../capabilities/assets/index.ts";
import type { PoolId } from "../../capabilities/jobs/index.ts";
import type { Arrival, BytesAnswer } from "../../foundation/http/area.ts";
import type { KeyId, PersonId, WorkspaceId } from "../../foundation/ids.ts";

export interface WorkflowCaller {
  readonly workspaceId: WorkspaceId;
  // Null if no key was used.
  readonly keyId: KeyId | null;
  // The person who is signed in. Null or absent for a key.
  readonly personId?: PersonId | null;
}

// The parts of a request that an absolute link can depend on.
export type LinkArrival = Pick<Arrival, "headers">;

export interface Link {
  readonly url: string;
  readonly expiresAt: Date | null;
}

export interface SurfaceLinks {
  // Asset.url with its real expiry. The expiry is null if the URL does not carry its own permission.
  asset(asset: Asset, arrival: LinkArrival): Link;
  // Spec, Output URL rule 2: the content endpoint, which requires the credential.
  output(output: { readonly assetId: AssetId; readonly jobExpiresAt: Date }, arrival: LinkArrival): Link;
}

// The folder of the application that a surface is next to, on the same machine.
export interface SurfaceFolder {
  // Called before any byte arrives. Throws if a file of this name could not be written to its path.
  requireTarget(filePath: string): Promise<void>;
  // Writes an uploaded file where the application looks for it; most need not be written anywhere.
  put(asset: Asset): Promise<void>;
  // Opens an existing file to register it. Throws output_unavailable if it is not there.
  open(filePath: string): Promise<{ readonly source: AsyncIterable<Uint8Array>; readonly contentType: string }>;
}

export interface Surface {
  // Throws unauthorized or forbidden.
  authenticate(arrival: Arrival): WorkflowCaller | Promise<WorkflowCaller>;
  // Calls back once when the caller's credential is no longer valid. Absent if there are no credentials.
  readonly watch?: (caller: WorkflowCaller, lost: () => void) => () => void;
  // Called once per request after authentication. Throws rate_limited.
  admit(caller: WorkflowCaller): void | Promise<void>;
  // The prefix of /api/v2 in links relative to the host; "" if there is none.
  readonly mountPath: string;
  readonly links: SurfaceLinks;
  // The pool whose workers run what is submitted here; only jobs of this pool are visible here.
  readonly poolId: PoolId;
  // Throws if nothing submitted now could run here. Absent if there is always a worker.
  readonly requireOpen?: () => Promise<void>;
  // Whether running here costs credits: then a header on reads of a job says how many. No v2 body does.
  readonly hasCredits: boolean;
  // Spec, v2 endpoints: whether GET /workflow shows the executed graph.
  readonly executedGraph: boolean;
  // Absent if the files of applications are not reachable.
  readonly folder?: SurfaceFolder;
  // The content endpoint: a redirect to the bytes, or the bytes.
  content(asset: Asset, request: ContentRequest): Promise<BytesAnswer | OutsideRange>;
}
