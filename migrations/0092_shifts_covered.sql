-- What others took over from somebody, for their calendar: few rows, which would else be looked for among all shifts.
create index shifts_covered on shifts (planned_user_id, starts_at) where planned_user_id is distinct from user_id;
