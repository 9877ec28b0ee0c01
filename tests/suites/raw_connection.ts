/** Owns a connection of a server in tests that can be reset: Deno's own always closes in good order. */

import type { Socket } from "node:net";

/** What {@linkcode RawPeer} needs of a connection; Deno's have it. */
export interface RawConnection {
  /** Fills the buffer's beginning and gives how much; null when the other end has closed. */
  read(buffer: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
  closeWrite(): Promise<void>;
  close(): void;
  /** Ends the connection by a reset. Absent where that cannot be done: of Deno's, and over TLS. */
  reset?(): void;
}

/** A connection of a `node:net` server that allows half-open ones. */
export class SocketConnection implements RawConnection {
  readonly #socket: Socket;
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest = new Uint8Array();

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#pieces = socket[Symbol.asyncIterator]();
    // Who reads or writes gets the error too; without anybody listening it would end the process.
    socket.on("error", () => {});
  }

  async read(buffer: Uint8Array): Promise<number | null> {
    if (this.#rest.length === 0) {
      const { done, value } = await this.#pieces.next();
      if (done === true) return null;
      this.#rest = new Uint8Array(value);
    }
    const piece = this.#rest.subarray(0, buffer.length);
    buffer.set(piece);
    this.#rest = this.#rest.subarray(piece.length);
    return piece.length;
  }

  async write(bytes: Uint8Array): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.#socket.write(bytes, (error) => error ? reject(error) : resolve(bytes.length));
    return await promise;
  }

  async closeWrite(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#socket.end(resolve);
    await promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  reset(): void {
    this.#socket.resetAndDestroy();
  }
}
