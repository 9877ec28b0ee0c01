create table orders (
  id bigint generated always as identity primary key,
  customer text not null,
  cents bigint not null,
  state text not null default 'placed',
  details jsonb not null default '{}',
  updated_at timestamptz not null default clock_timestamp()
);
create index on orders (updated_at, id);

create function orders_changed() returns trigger language plpgsql as $$
begin
  new.updated_at := clock_timestamp();
  return new;
end $$;
create trigger orders_changed before update on orders for each row execute function orders_changed();

insert into orders (customer, cents, state, details)
select
  'customer ' || i % 37,
  i * 125,
  (array['draft', 'placed', 'paid', 'sent'])[1 + i % 4],
  jsonb_build_object('lines', i % 5 + 1, 'reference', 9007199254740993 + i)
from generate_series(1, 400) i;
