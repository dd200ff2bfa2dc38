-- Outputs that are only looked at (an application's `temp` folder, and pictures for those who watch) are kept beside the results
-- and told apart. A submission may bring what its files carry besides the graph, an editor's own graph above all; as JSON text,
-- so that every digit stays.
alter table job_outputs add column folder text not null default 'output' check (folder in ('output', 'temp', 'shown'));
alter table job_graphs add column png_info text;

-- Those who work with an application's history may clear it: the job stays, and the history leaves it out.
alter table jobs add column is_cleared boolean not null default false;
