/** Owns the tests of the string methods that look for text in text. */

import { assertFailures, assertValues } from "../script_probe.ts";

Deno.test("find and its kin: positions count code points", () => {
  assertValues({
    '"bonbon".find("on")': "1",
    '"bonbon".find("on", 2)': "4",
    '"bonbon".find("on", 2, 5)': "-1",
    '"bonbon".find("")': "0",
    '"abc".find("", 4)': "-1",
    '"bonbon".rfind("on")': "4",
    '"bonbon".rfind("on", None, 5)': "1",
    '"bonbon".index("nb")': "2",
    '"bonbon".rindex("on")': "4",
    '"😀x😀y".find("y")': "3",
    '"😀x😀y".rfind("😀")': "2",
    '"😀x😀y".find("x", 2)': "-1",
    '"hello".find("l", -3)': "2",
  });
  assertFailures(['"abc".index("x")', '"abc".rindex("x")', '"abc".find(1)', '"abc".find()']);
});

Deno.test("count: occurrences that do not overlap", () => {
  assertValues({
    '"aaaa".count("aa")': "2",
    '"abcabc".count("bc", 2)': "1",
    '"abc".count("")': "4",
    '"😀😀".count("")': "3",
    '"abc".count("d")': "0",
  });
});

Deno.test("startswith and endswith: one affix or several", () => {
  assertValues({
    '"report.json".endswith(".json")': "True",
    '"report.json".endswith((".xml", ".json"))': "True",
    '"report.json".endswith(())': "False",
    '"report.json".startswith("port", 2)': "True",
    '"report.json".startswith("re", 1)': "False",
    '"report".endswith("po", 0, 4)': "True",
    '"".startswith("")': "True",
  });
  assertFailures(['"a".startswith(1)', '"a".startswith(("a", 1)) and "a".startswith((1,))']);
});

Deno.test("join: strings only", () => {
  assertValues({
    '", ".join(["one", "two"])': '"one, two"',
    '"-".join(("a",))': '"a"',
    '"".join([])': '""',
    '"/".join({"a": 1, "b": 2})': '"a/b"',
  });
  assertFailures(['",".join([1])', '",".join("abc")', '",".join()']);
});

Deno.test("partition and rpartition: text before, separator, text after", () => {
  assertValues({
    '"one/two/three".partition("/")': '("one", "/", "two/three")',
    '"one/two/three".rpartition("/")': '("one/two", "/", "three")',
    '"one".partition("/")': '("one", "", "")',
    '"one".rpartition("/")': '("", "", "one")',
  });
  assertFailures(['"one".partition("")']);
});

Deno.test("removeprefix and removesuffix: only where they stand", () => {
  assertValues({
    '"test_file".removeprefix("test_")': '"file"',
    '"test_file".removeprefix("file")': '"test_file"',
    '"file_test".removesuffix("_test")': '"file"',
    '"file_test".removesuffix("")': '"file_test"',
  });
});

Deno.test("replace: all, the first few, or between all characters", () => {
  assertValues({
    '"banana".replace("a", "o")': '"bonono"',
    '"banana".replace("a", "o", 2)': '"bonona"',
    '"banana".replace("a", "o", 0)': '"banana"',
    '"banana".replace("a", "o", -1)': '"bonono"',
    '"ab".replace("", "-")': '"-a-b-"',
    '"ab".replace("", "-", 1)': '"-ab"',
    '"a😀".replace("", "-")': '"-a-😀-"',
    '"a.b".replace(".", "$&")': '"a$&b"',
  });
});
