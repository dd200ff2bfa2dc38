-- Holds the number for a change that lands first, which replaces this file. It changes nothing.
select 1;
