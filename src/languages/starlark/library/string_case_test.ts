/** Owns the tests of the string methods about letters, digits and case. */

import { assertValues } from "../script_probe.ts";

Deno.test("upper, lower, title, capitalize: change case", () => {
  assertValues({
    '"Hello, wörld".upper()': '"HELLO, WÖRLD"',
    '"Hello".lower()': '"hello"',
    '"hElLo wOrLd, it\'s".title()': '"Hello World, It\'S"',
    '"hELLO wORLD".capitalize()': '"Hello world"',
    '"".capitalize()': '""',
    '"ǆin ǆin".title()': '"ǅin ǅin"',
    '"ǈUB".capitalize()': '"ǈub"',
    '"constructor".capitalize()': '"Constructor"',
  });
});

Deno.test("isupper, islower, istitle: need a letter that has case", () => {
  assertValues({
    '"ABC 1".isupper()': "True",
    '"123".isupper()': "False",
    '"abc!".islower()': "True",
    '"aBc".islower()': "False",
    '"".islower()': "False",
    '"Ⅷ".isupper()': "True",
    '"ⅷ".isupper()': "False",
    '"ǅ".isupper()': "False",
    '"ǅ".islower()': "False",
    '"ß".islower()': "True",
    '"ß".isupper()': "False",
    '"Hello World".istitle()': "True",
    '"Hello world".istitle()': "False",
    '"HAL-9000".istitle()': "False",
    '"123".istitle()': "False",
  });
});

Deno.test("isalpha, isdigit, isalnum, isspace: hold for every character, and not for none", () => {
  assertValues({
    '"abcä".isalpha()': "True",
    '"ab1".isalpha()': "False",
    '"012".isdigit()': "True",
    '"1.5".isdigit()': "False",
    '"ab1".isalnum()': "True",
    '"a b".isalnum()': "False",
    '" \\t\\n".isspace()': "True",
    '"".isspace()': "False",
    '"".isalpha()': "False",
    '"".isdigit()': "False",
  });
});
