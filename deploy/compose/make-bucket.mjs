// Creates the bucket named in `blobs` of atelier.config.json, unless it exists. Runs once, in Atelier's image, with the S3
// client that the server uses. If the store does not respond yet, it retries for a minute.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { CreateBucketCommand, HeadBucketCommand, S3Client } from "@aws-sdk/client-s3";

const path = process.argv[2] ?? "/etc/atelier/atelier.config.json";
const { blobs, blobsKeyId, blobsSecret } = JSON.parse(readFileSync(path, "utf8"));
const address = new URL(blobs);
const bucket = address.hostname;
const client = new S3Client({
  endpoint: address.searchParams.get("endpoint"),
  region: address.searchParams.get("region") ?? "us-east-1",
  forcePathStyle: true,
  credentials: { accessKeyId: blobsKeyId, secretAccessKey: blobsSecret },
});

for (let tries = 1; ; tries += 1) {
  try {
    process.stdout.write(`${await ensureBucket()}\n`);
    break;
  } catch (error) {
    if (tries >= 60) throw error;
    await sleep(1_000);
  }
}
client.destroy();

async function ensureBucket() {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
    return `the bucket ${bucket} exists`;
  } catch (error) {
    if (error.$metadata?.httpStatusCode !== 404) throw error;
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    return `created the bucket ${bucket}`;
  }
}
