-- What calls of a language model cost, in millionths of a US dollar. A call is noted at the most it
-- can cost before it is made.
create table model_calls (
  id uuid constraint model_calls_pkey primary key,
  model text not null,
  lines int not null constraint model_calls_lines_positive check (lines > 0),
  cost_micros bigint not null constraint model_calls_cost_not_negative check (cost_micros >= 0),
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  outcome text,
  input_tokens int,
  output_tokens int
);

create index model_calls_started on model_calls (started_at) include (cost_micros);
