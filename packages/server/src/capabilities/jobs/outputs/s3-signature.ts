// Signs the PUT of one output, in a header.
import { algorithm, signingScope, signS3, unsignedPayload } from "../../../foundation/http/outgoing/s3-signature.ts";

export interface S3Signing {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly at: Date;
}

// The headers to send, including the signature. The client sets `host` itself; it is signed all the same.
export function signS3Put(signing: S3Signing): Record<string, string> {
  const { url, region, accessKeyId, secretAccessKey } = signing;
  const at = signingScope(signing.at, region);
  const headers = { ...signing.headers, "x-amz-content-sha256": unsignedPayload, "x-amz-date": at.time };
  const { signature, signedHeaders } = signS3({ method: "PUT", url, query: "", headers }, at, secretAccessKey);
  const credential = `${accessKeyId}/${at.scope}`;
  return {
    ...headers,
    authorization: `${algorithm} Credential=${credential}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
  };
}
