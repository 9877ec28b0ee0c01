import assert from "node:assert/strict";
import { parseCron } from "./cron_schedule.ts";

/** The next `count` runs after `from`, as text. */
function runs(expression: string, zone: string, from: string, count: number): string[] {
  const parsed = parseCron(expression, zone);
  assert.ok(parsed.ok);
  const found: string[] = [];
  for (let atMs: number | undefined = Date.parse(from); found.length < count;) {
    atMs = parsed.schedule.next(atMs);
    assert.ok(atMs !== undefined);
    found.push(new Date(atMs).toISOString().replace(":00.000Z", "Z"));
  }
  return found;
}

for (
  const [title, expression, zone, from, expected] of [
    [
      "a daily time in the spring gap runs once, right after it",
      "30 2 * * *",
      "America/New_York",
      "2026-03-07T12:00:00Z",
      ["2026-03-08T07:00Z", "2026-03-09T06:30Z"],
    ],
    [
      "a daily time that comes twice in autumn runs at the first of the two",
      "30 1 * * *",
      "America/New_York",
      "2026-10-31T12:00:00Z",
      ["2026-11-01T05:30Z", "2026-11-02T06:30Z"],
    ],
    [
      "a start inside the second pass does not run what the first pass ran",
      "30 1 * * *",
      "America/New_York",
      "2026-11-01T06:10:00Z",
      ["2026-11-02T06:30Z"],
    ],
    [
      "every quarter of an hour follows elapsed time through the overlap",
      "*/15 * * * *",
      "America/New_York",
      "2026-11-01T05:40:00Z",
      ["2026-11-01T05:45Z", "2026-11-01T06:00Z", "2026-11-01T06:15Z", "2026-11-01T06:30Z"],
    ],
    [
      "every hour follows elapsed time through the gap",
      "0 * * * *",
      "America/New_York",
      "2026-03-08T05:30:00Z",
      ["2026-03-08T06:00Z", "2026-03-08T07:00Z", "2026-03-08T08:00Z"],
    ],
    [
      "a time twice a day keeps its skipped run",
      "0 2,14 * * *",
      "America/New_York",
      "2026-03-08T05:00:00Z",
      ["2026-03-08T07:00Z", "2026-03-08T18:00Z", "2026-03-09T06:00Z"],
    ],
    [
      "a zone that shifts by half an hour repeats that half hour only",
      "45 1 * * *",
      "Australia/Lord_Howe",
      "2026-04-04T12:00:00Z",
      ["2026-04-04T14:45Z", "2026-04-05T15:15Z"],
    ],
    [
      "an hourly run in a zone that shifts by half an hour follows the wall clock's hours",
      "0 * * * *",
      "Australia/Lord_Howe",
      "2026-04-04T13:30:00Z",
      ["2026-04-04T14:00Z", "2026-04-04T15:30Z", "2026-04-04T16:30Z"],
    ],
    [
      "a zone that lies 45 minutes off the hour",
      "0 9 * * *",
      "Asia/Kathmandu",
      "2026-01-01T00:00:00Z",
      ["2026-01-01T03:15Z", "2026-01-02T03:15Z"],
    ],
    [
      "a zone that changes for Ramadan",
      "30 2 * * *",
      "Africa/Casablanca",
      "2026-02-14T12:00:00Z",
      ["2026-02-15T01:30Z", "2026-02-16T02:30Z"],
    ],
    [
      "a date that the zone left out never comes",
      "0 12 * * *",
      "Pacific/Apia",
      "2011-12-29T12:00:00Z",
      ["2011-12-29T22:00Z", "2011-12-30T22:00Z"],
    ],
    [
      "February 29 waits for a leap year",
      "0 0 29 2 *",
      "UTC",
      "2026-01-01T00:00:00Z",
      ["2028-02-29T00:00Z", "2032-02-29T00:00Z"],
    ],
    [
      "an instant that is due is not due after itself",
      "0 0 * * *",
      "UTC",
      "2026-01-01T00:00:00Z",
      ["2026-01-02T00:00Z"],
    ],
  ] as const
) {
  Deno.test(`CronSchedule.next: ${title}`, () => {
    assert.deepEqual(runs(expression, zone, from, expected.length), expected);
  });
}

Deno.test("parseCron: refuses what is never due, what is not five fields, and an unknown zone", () => {
  for (const expression of ["0 0 31 2 *", "* * * *", "* * * * * *", "61 * * * *", ""]) {
    assert.deepEqual(problemsOf(expression, "UTC").map(({ part }) => part), ["expression"], expression);
  }
  assert.deepEqual(problemsOf("* * * * *", "Mars/Olympus").map(({ part }) => part), ["timezone"]);
  assert.deepEqual(problemsOf("*", "Mars/Olympus").map(({ part }) => part), ["expression", "timezone"]);
});

Deno.test("parseCron: says which fields are wrong, and how many are missing, in words of its own", () => {
  for (
    const [expression, told] of [
      ["* * *", "has 3 fields"],
      ["* * * * * *", "has 6 fields"],
      ["", "has 0 fields"],
      ["61 * * * *", 'minute cannot be "61": 0 to 59'],
      ["*/0 25 * * *", 'hour cannot be "25": 0 to 23'],
      ["* * * * foo", 'day of week cannot be "foo"'],
      ["@dayly", 'did you mean "@daily"?'],
      ["0 0 31 2 *", "no date ever matches it"],
    ] as const
  ) {
    const message = problemsOf(expression, "UTC")[0]?.message ?? "";
    assert.ok(message.includes(told), message);
    assert.doesNotMatch(message, /CronPattern|six/);
  }
  assert.match(problemsOf("* * * * *", "Europe/Pairs")[0]?.hint ?? "", /Europe\/Paris/);
});

function problemsOf(expression: string, zone: string) {
  const parsed = parseCron(expression, zone);
  assert.ok(!parsed.ok, expression);
  return parsed.problems;
}
