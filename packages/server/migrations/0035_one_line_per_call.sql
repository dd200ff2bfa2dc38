-- A call writes less. Its key names the call and no more: whether and when that ended stands in the call's own row, so that
-- ending it leaves the key alone. And what was charged is its one line in the journal: while it is open, its own row explains
-- what it holds.

-- First, because it waits for every statement that begins or ends a call, and keeps out those of older servers for good:
-- their statements name these columns and are refused whole.
drop index call_keys_answered;
alter table call_keys drop column answered_at, drop column fingerprint;
-- Keys end in the order in which their calls began; the ids of calls rise with time.
create index call_keys_of_calls on call_keys (call_id);

-- What open calls hold goes back to `available` in the journal: from here on `held` is there for reservations alone.
insert into journal (transaction_id, kind, workspace_id, debit, credit, amount)
select c.id, 'release', c.workspace_id, 'held', 'available', j.amount
from calls c join journal j on j.transaction_id = c.id and j.kind = 'hold'
where c.state = 'open';
