/** Owns the room between two layers of a drawing in text: which line runs in which row. */

/** A piece of an edge between two layers, from a column above to a column below. */
export interface Piece {
  /** Pieces of one group leave the same column above and share their line. */
  readonly group: string;
  readonly exit: number;
  readonly entry: number;
}

/** The pieces of one group. */
export interface Run {
  readonly group: string;
  readonly exit: number;
  readonly entries: readonly number[];
  /** The row of its horizontal line, from 0; undefined where it goes straight down. */
  readonly track: number | undefined;
}

/** Gives each group of pieces a row in which no other line is in its way; and how many rows that takes. */
export function routePieces(pieces: readonly Piece[]): { readonly runs: readonly Run[]; readonly tracks: number } {
  const groups = new Map<string, Piece[]>();
  for (const piece of pieces) groups.set(piece.group, [...groups.get(piece.group) ?? [], piece]);
  const all = [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined
      ? []
      : [{ group: first.group, exit: first.exit, entries: group.map(({ entry }) => entry) }];
  });
  const placed = new Map<string, number>();
  const rows: (readonly [number, number])[][] = [];
  const place = (run: (typeof all)[number], waiting: ReadonlySet<string>): number => {
    const known = placed.get(run.group);
    if (known !== undefined) return known;
    // One whose column above is a column below of this run has to turn before this run comes down there.
    const before = all.filter((other) => {
      return other !== run && !waiting.has(other.group) && run.entries.includes(other.exit) && !isStraight(other);
    });
    const inside = new Set([...waiting, run.group]);
    let track = Math.max(0, ...before.map((other) => place(other, inside) + 1));
    const span = spanOf(run);
    while ((rows[track] ?? []).some((other) => other[0] <= span[1] + 1 && span[0] <= other[1] + 1)) track++;
    (rows[track] ??= []).push(span);
    placed.set(run.group, track);
    return track;
  };
  const runs = all.map((run) => ({ ...run, track: isStraight(run) ? undefined : place(run, new Set()) }));
  return { runs, tracks: rows.length };
}

function isStraight({ exit, entries }: { readonly exit: number; readonly entries: readonly number[] }): boolean {
  return entries.every((entry) => entry === exit);
}

function spanOf({ exit, entries }: { readonly exit: number; readonly entries: readonly number[] }): [number, number] {
  return [Math.min(exit, ...entries), Math.max(exit, ...entries)];
}
