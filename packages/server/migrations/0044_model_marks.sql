-- What is known about a model besides its definition: when an operator deprecated it, when it goes, and when a real call of
-- just this definition last succeeded.

create table model_marks (
  model_id text collate "C" primary key check (char_length(model_id) <= 193),
  deprecated_at timestamptz(3),
  sunset_at timestamptz(3),
  verified_at timestamptz(3),
  -- SHA-256 of the model's definition as it was called. Another definition has not been tried.
  verified_digest text,
  check (sunset_at is null or deprecated_at is not null),
  check ((verified_at is null) = (verified_digest is null))
);
