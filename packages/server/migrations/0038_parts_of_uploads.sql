-- What came of a resumable upload, a part for each stretch that was acknowledged: blobs like all others, so that any process
-- can append and any can complete. Together they are as long as `received` says, until the upload is an asset.

create table asset_upload_parts (
  upload_id uuid not null references asset_uploads (id) on delete cascade,
  start bigint not null check (start >= 0),
  size bigint not null check (size > 0),
  hash bytea not null check (octet_length(hash) = 32),
  primary key (upload_id, start)
);

-- Earlier versions kept these bytes in a folder of one machine. Their clients ask for the offset and send them again.
update asset_uploads set received = 0, writer = null, writer_until = null where asset_id is null and received > 0;
