/** Owns the tests of the functions that convert between types. */

import { assertFailures, assertValues } from "../script_probe.ts";

Deno.test("int: from text in any base, from floats and bools", () => {
  assertValues({
    'int("42")': "42",
    'int("-0042")': "-42",
    'int("+7")': "7",
    'int("ff", 16)': "255",
    'int("0xFF", 16)': "255",
    'int("0b101", 0)': "5",
    'int("0o17", 0)': "15",
    'int("-0x1f", 0)': "-31",
    'int("12", 0)': "12",
    'int("z", 36)': "35",
    'int("0b1", 16)': "177",
    'int("123456789012345678901234567890")': "123456789012345678901234567890",
    "int(3.99)": "3",
    "int(-3.99)": "-3",
    "int(1e20)": "100000000000000000000",
    "int(True)": "1",
    "int(5)": "5",
  });
  assertFailures([
    'int("")',
    'int("1.5")',
    'int(" 1")',
    'int("1_000")',
    'int("0x")',
    'int("012", 0)',
    'int("8", 8)',
    'int("1", 1)',
    'int("1", 37)',
    "int(None)",
    "int([])",
    "int(1, 10)",
    'int(float("nan"))',
    'int(float("inf"))',
    "int()",
  ]);
});

Deno.test("float: from text, ints and bools", () => {
  assertValues({
    'float("1.5")': "1.5",
    'float("-2")': "-2.0",
    'float("1e3")': "1000.0",
    'float(".5")': "0.5",
    'float("inf")': "+inf",
    'float("-Infinity")': "-inf",
    'float("NaN")': "nan",
    "float(7)": "7.0",
    "float(False)": "0.0",
    "float()": "0.0",
    "float(-0.0)": "-0.0",
  });
  assertFailures([
    'float("")',
    'float("x")',
    'float("1e999")',
    "float(None)",
    "float(10) if False else float([])",
    'float("0x10")',
    "float((1 << 511) * (1 << 511) * 8)",
  ]);
});

Deno.test("str, bool, type: any value", () => {
  assertValues({
    'str("a")': '"a"',
    "str(1.0)": '"1.0"',
    "str([None, True, 'x'])": '"[None, True, \\"x\\"]"',
    'str(b"caf\\xc3\\xa9")': '"café"',
    "bool()": "False",
    "bool([])": "False",
    "bool([0])": "True",
    "bool(0.0)": "False",
    'bool(float("nan"))': "True",
    'bool("")': "False",
    "bool(range(0))": "False",
    "bool(len)": "True",
    "[type(x) for x in (None, True, 1, 1.5, 2.0, 1 << 70, '', b'', [], (), {}, set(), range(1), len, json)]":
      '["NoneType", "bool", "int", "float", "float", "int", "string", "bytes", "list", "tuple", "dict", "set", "range", "builtin_function_or_method", "module"]',
    "type(lambda: 1)": '"function"',
  });
});

Deno.test("list, tuple, set, bytes: from what can be iterated over", () => {
  assertValues({
    "list()": "[]",
    "list((1, 2))": "[1, 2]",
    'list({"a": 1})': '["a"]',
    "tuple([1])": "(1,)",
    "tuple()": "()",
    "tuple(range(3))": "(0, 1, 2)",
    "set((1, 1))": "set([1])",
    'bytes("é")': 'b"é"',
    "bytes([104, 105])": 'b"hi"',
    "bytes(b'x')": 'b"x"',
    "bytes([255, 97])": 'b"\\xffa"',
  });
  assertFailures(["list(1)", 'list("ab")', "tuple(None)", "bytes([256])", "bytes([-1])", 'bytes(["a"])', "bytes(1)"]);
});

Deno.test("float: hexadecimal digits with a power of two, rounded once", () => {
  assertValues({
    'float("0x1p-2")': "0.25",
    'float("-0X1.8P+1")': "-3.0",
    'float("0x.8p0")': "0.5",
    'float("0x1p-1074")': "5e-324",
    'float("0x1p-1075")': "0.0",
    'float("0x1.8p-1075")': "5e-324",
    'float("0x1.fffffffffffffp1023")': "1.7976931348623157e+308",
    'float("0x1.00000000000008p0")': "1.0",
    'float("0x1.00000000000008001p0")': "1.0000000000000002",
    'float("0x0p99999999999999999999")': "0.0",
    'float("0x1p-99999999999999999999")': "0.0",
  });
  assertFailures(['float("0x1")', 'float("0xp1")', 'float("0x_1p0")', 'float("0x1p1024")', 'float("0x1p99999999999")']);
});
