/** Owns the judgement of what a sink got: how many messages, which, in which order. */

import { type Data, didYouMean } from "../base/mod.ts";
import type { Captured } from "./captured_sinks.ts";
import { follow } from "./message_path.ts";
import type { Difference } from "./report.ts";
import type { CaptureText } from "./suite_schema.ts";
import { differencesOf, expectedText, NOTHING, valueText } from "./value_match.ts";

/** An expected message, as it is written. */
type ExpectedMessage = { readonly [path: string]: Data };

/** Messages of a sink that a report shows, and how much of each. */
const SHOWN_MESSAGES_MAX = 3;
const SHOWN_CHARACTERS_MAX = 120;

/** Everything in which a sink did not get what it should have. `why` is told of one that got nothing. */
export function judgeCapture(
  { at, count, messages }: Pick<CaptureText, "at" | "count" | "messages">,
  found: readonly Captured[],
  why?: string,
): readonly Difference[] {
  const where = `sink "${at}"`;
  const wanted = count ?? messages?.length;
  const differences: Difference[] = [];
  if (wanted !== undefined && found.length !== wanted) {
    differences.push({
      where,
      expected: messagesText(wanted),
      found: messagesText(found.length),
      ...noteOf(found.length === 0 ? why : shownMessages(found)),
    });
  }
  // Where nothing came there is nothing to compare with.
  if (messages === undefined || found.length === 0) return differences;
  // One by one where each has its partner; else each is looked for behind the one before it.
  if (found.length === messages.length) return [...differences, ...judgeInPlace(where, messages, found)];
  return [...differences, ...judgeInOrder(where, messages, found)];
}

function judgeInPlace(
  where: string,
  expected: readonly ExpectedMessage[],
  found: readonly Captured[],
): readonly Difference[] {
  return expected.flatMap((message, index) => {
    const one = found[index];
    if (one === undefined || fits(message, one)) return [];
    const elsewhere = found.findIndex((other) => fits(message, other));
    if (elsewhere >= 0) return [outOfOrder(where, message, index, elsewhere)];
    return messageDifferences(message, one).map((difference) => ({
      ...difference,
      where: `${where}, message ${index + 1}`,
    }));
  });
}

function outOfOrder(where: string, message: ExpectedMessage, index: number, elsewhere: number): Difference {
  return {
    where: `${where}, message ${index + 1}`,
    expected: expectedMessageText(message),
    found: `it as message ${elsewhere + 1}`,
    note: "the messages came in another order",
  };
}

/** Each expected message is found behind the one before it, or told with what comes nearest to it. */
function judgeInOrder(
  where: string,
  expected: readonly ExpectedMessage[],
  found: readonly Captured[],
): readonly Difference[] {
  const differences: Difference[] = [];
  let from = 0;
  for (const [index, message] of expected.entries()) {
    const at = found.findIndex((one, position) => position >= from && fits(message, one));
    if (at >= 0) {
      from = at + 1;
      continue;
    }
    const nearest = nearestMessage(message, found.slice(from));
    differences.push({
      where: `${where}, expected message ${index + 1}`,
      expected: expectedMessageText(message),
      found: NOTHING,
      ...noteOf(nearest === undefined ? undefined : nearestText(from + nearest.index, nearest.differences)),
    });
  }
  return differences;
}

function nearestText(index: number, differences: readonly Difference[]): string {
  const told = differences.map(({ path, found }) => `${path} is ${found}`).join(", ");
  return `nearest is message ${index + 1}, where ${told}`;
}

function nearestMessage(expected: ExpectedMessage, found: readonly Captured[]) {
  let nearest: { readonly index: number; readonly differences: readonly Difference[] } | undefined;
  for (const [index, one] of found.entries()) {
    const differences = messageDifferences(expected, one);
    if (nearest === undefined || differences.length < nearest.differences.length) nearest = { index, differences };
  }
  // One that has nothing of what is expected is not near.
  return nearest !== undefined && nearest.differences.length < Object.keys(expected).length ? nearest : undefined;
}

function fits(expected: ExpectedMessage, found: Captured): boolean {
  return messageDifferences(expected, found).length === 0;
}

/** In which paths a message is not as expected. */
function messageDifferences(expected: ExpectedMessage, found: Captured): readonly Difference[] {
  return Object.entries(expected).flatMap(([path, value]) => {
    const { value: at, nearest } = follow(found, path);
    const differences = differencesOf(value, at);
    return differences.map((difference) => ({
      where: "",
      path: `${path}${difference.path}`,
      expected: difference.expected,
      found: difference.found,
      ...noteOf(at === undefined && difference.found === NOTHING ? nearbyText(path, nearest) : undefined),
    }));
  });
}

/** What stands where a path that leads nowhere leaves the message. */
function nearbyText(path: string, nearest: { readonly path: string; readonly value: unknown }): string | undefined {
  const { value } = nearest;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) {
    return `${nearest.path} is ${valueText(value)}`;
  }
  const keys = Object.keys(value);
  const [step = ""] = path.slice(nearest.path.length + 1).split(".");
  return didYouMean(step, keys) ?? (keys.length === 0 ? `${nearest.path} is empty` : `there is ${keys.join(", ")}`);
}

function expectedMessageText(message: ExpectedMessage): string {
  return Object.entries(message).map(([path, value]) => `${path}: ${expectedText(value)}`).join(", ") || "any message";
}

function messagesText(count: number): string {
  return count === 1 ? "1 message" : `${count === 0 ? "no" : count} messages`;
}

function shownMessages(found: readonly Captured[]): string {
  const shown = found.slice(0, SHOWN_MESSAGES_MAX).map(({ payload }) => valueText(payload, SHOWN_CHARACTERS_MAX));
  const more = found.length > shown.length ? ` and ${found.length - shown.length} more` : "";
  return `it got ${shown.join(", ")}${more}`;
}

function noteOf(note: string | undefined): { readonly note?: string } {
  return note === undefined ? {} : { note };
}
