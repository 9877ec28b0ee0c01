/** Owns what a benchmark is told: how much to do, where to put files, whom to tell how it goes. */

/** How much is measured. */
export interface BenchScale {
  /** Lines of the input, and messages of the recovery. */
  readonly lines: number;
  /** Turns each side gets. */
  readonly turns: number;
  readonly httpSeconds: number;
  readonly computeMs: number;
}

/** The whole measure. */
export const FULL_SCALE: BenchScale = { lines: 1_000_000, turns: 3, httpSeconds: 6, computeMs: 1000 };
/** A look that ends within three minutes; what has to warm up shows in its figures. */
export const QUICK_SCALE: BenchScale = { lines: 150_000, turns: 3, httpSeconds: 2, computeMs: 200 };

/** What every benchmark is given. */
export interface Bench {
  readonly scale: BenchScale;
  /** A folder of its own, emptied by whoever made it. */
  readonly folder: string;
  readonly say: (text: string) => void;
}

/** Makes a folder in the benchmark's for one turn, and removes it with all it holds. */
export function turnFolder(bench: Bench): { readonly path: string } & Disposable {
  const path = Deno.makeTempDirSync({ dir: bench.folder });
  return { path, [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }) };
}
