import assert from "node:assert/strict";
import { SqlText } from "./sql_text.ts";

Deno.test("SqlText: placeholders stand in code only, as each database reads it", () => {
  const names = (source: string, driver: "mysql" | "postgres" | "sqlite") => new SqlText(source, driver).names;
  for (const driver of ["mysql", "postgres", "sqlite"] as const) {
    assert.deepEqual(names("select :a, ':b', \"x:c\" -- :d\n/* :e */, :f_1+:a", driver), ["a", "f_1"], driver);
    assert.deepEqual(names("select 'it''s :no' || :yes", driver), ["yes"], driver);
    assert.deepEqual(names("where x=:x and y in(:y) and z<:z", driver), ["x", "y", "z"], driver);
    assert.deepEqual(names("select a::text, 1:2, b[1:n], :1", driver), [], driver);
  }
  assert.deepEqual(names("select $$:a$$, $tag$ :b $$ :c $tag$, :d, E'\\':e', e'\\' :f', 'x\\', :g", "postgres"), [
    "d",
    "g",
  ]);
  assert.deepEqual(names("select 1 /* :a /* :b */ :c */, :d", "postgres"), ["d"]);
  assert.deepEqual(names("select 1 /* :a /* :b */ :c", "sqlite"), ["c"]);
  assert.deepEqual(names("select 'it\\'s :a', :b # :c\n, `:d`, 5--:e", "mysql"), ["b", "e"]);
  assert.deepEqual(names("select [a:b], :c, `:d`", "sqlite"), ["c"]);
  assert.deepEqual(names("set @x := :v", "mysql"), ["v"]);
});

Deno.test("SqlText.positional: a driver's own placeholders, without the semicolon at the end", () => {
  const text = "select :a, :b, :a ; -- done";
  assert.deepEqual(new SqlText(text, "postgres").positional("postgres"), {
    text: "select $1, $2, $1 ",
    names: ["a", "b"],
  });
  assert.deepEqual(new SqlText(text, "sqlite").positional("sqlite"), { text: "select ?1, ?2, ?1 ", names: ["a", "b"] });
  assert.deepEqual(new SqlText(text, "mysql").positional("mysql"), { text: "select ?, ?, ? ", names: ["a", "b", "a"] });
});

Deno.test("SqlText.normal: blanks in code and comments make no difference, in quotes they do", () => {
  const normal = (source: string) => new SqlText(source, "postgres").normal;
  assert.equal(normal("select  a,\n\tb -- why\nfrom t"), normal("select a, b /* x */ from t"));
  assert.notEqual(normal("select 'a  b'"), normal("select 'a b'"));
});

Deno.test("SqlText.issues: what cannot be told apart or bound is found, with its place", () => {
  const found = (source: string, driver: "mysql" | "postgres" | "sqlite") =>
    new SqlText(source, driver).issues.map(({ offset }) => offset);
  assert.deepEqual(found("select 1; select 2", "postgres"), [8]);
  assert.deepEqual(found("select 1; -- end\n", "postgres"), []);
  assert.deepEqual(found("select 'open", "postgres"), [7]);
  assert.deepEqual(found("select $x$open", "postgres"), [7]);
  assert.deepEqual(found("select /* open", "sqlite"), [7]);
  assert.deepEqual(found("select ?, '?'", "mysql"), [7]);
  assert.deepEqual(found("select $1, a ? 'b'", "postgres"), [7]);
});
