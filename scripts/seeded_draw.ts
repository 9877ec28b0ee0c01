/** Owns chance that comes out the same every time: what the example data is drawn with. */

/** Draws from a seed. The sequence of a seed never changes. */
export class SeededDraw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number in [0, 1). */
  fraction(): number {
    // A counter in steps of the golden ratio, its bits stirred by multiplication: neighbouring seeds share nothing.
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let stirred = this.#state;
    stirred = Math.imul(stirred ^ (stirred >>> 16), 0x85ebca6b);
    stirred = Math.imul(stirred ^ (stirred >>> 13), 0xc2b2ae35);
    return ((stirred ^ (stirred >>> 16)) >>> 0) / 0x1_0000_0000;
  }

  /** An integer from `least` to `most`, both included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  /** One of the choices. */
  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.integer(0, choices.length - 1)] ?? choices[0];
  }

  /** Whether a chance in [0, 1] came true. */
  chance(likelihood: number): boolean {
    return this.fraction() < likelihood;
  }

  /** So many hexadecimal digits. */
  hex(digits: number): string {
    let text = "";
    while (text.length < digits) text += this.integer(0, 15).toString(16);
    return text;
  }
}
