-- What open calls hold of a budget, in the budget's own row: a call can then be compared and counted by the statement that
-- begins it. What must always hold: it is never less than the sum of the budget's rows in `budget_calls`. It may be more, by what was
-- given back, until the budget is added up the next time.
alter table budgets add column held bigint not null default 0 check (held >= 0);
update budgets set held = open.held
from (select budget_id, sum(hold) as held from budget_calls group by budget_id) as open
where budgets.id = open.budget_id;
