-- Where the submission of a job stands in its trace (W3C traceparent), so that the worker that runs it, in whatever process and
-- after whatever crash, goes on in the same one. Beside the graph, which is read once by the one who claims: the queue's own rows
-- stay as narrow as they are. Null: nothing is traced.
alter table job_graphs add column traceparent text check (octet_length(traceparent) <= 64);
