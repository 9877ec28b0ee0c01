create table order_facts (
  order_id integer primary key,
  customer text not null,
  region text not null,
  cents integer not null check (cents > 0),
  state text not null,
  is_open integer not null,
  updated_at text not null
);
