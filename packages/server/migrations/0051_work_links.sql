-- Links with which people without an account run one work: keys that can call nothing else, with a total they may spend.

-- The model id of the only work, in any version, that the key may call. Null for ordinary keys.
alter table api_keys add column only_model text collate "C";
create index api_keys_of_links on api_keys (workspace_id, only_model, created_at desc, id desc) where only_model is not null;

-- The most that the key may ever spend, and what its ended calls have cost since it has a cap.
alter table api_key_caps add column total bigint check (total >= 0);
alter table api_key_caps add column spent_total bigint not null default 0 check (spent_total >= 0);
