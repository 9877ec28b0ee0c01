/** Owns the temporary folder of a real server in tests: its data, its keys, gone when the scope ends. */

import { TEST_AUTHORITY, TEST_CERTIFICATE, TEST_KEY } from "../suites/test_certificate.ts";
import type { ServerUser } from "./installed.ts";

/** A folder that belongs to the user the server runs as. */
export class ServerFolder implements AsyncDisposable {
  /** Absolute. */
  readonly path: string;
  readonly #user: ServerUser | undefined;

  private constructor(path: string, user: ServerUser | undefined) {
    this.path = path;
    this.#user = user;
  }

  /** Makes one in the platform's folder for temporary files. */
  static async make(name: string, user?: ServerUser): Promise<ServerFolder> {
    const path = await Deno.makeTempDir({ prefix: `eventboat-${name}-` });
    const folder = new ServerFolder(path, user);
    folder.#give(path);
    return folder;
  }

  /** Writes a file that only its owner may read, and gives its absolute path. */
  write(name: string, text: string): string {
    const path = `${this.path}/${name}`;
    Deno.writeTextFileSync(path, text, { mode: 0o600 });
    this.#give(path);
    return path;
  }

  /** Writes the tests' certificate and key, and gives the absolute paths. */
  writeTlsFiles(): TlsFiles {
    return {
      authority: this.write("authority.pem", TEST_AUTHORITY),
      certificate: this.write("certificate.pem", TEST_CERTIFICATE),
      key: this.write("key.pem", TEST_KEY),
      keystore: this.write("keystore.pem", TEST_KEY + TEST_CERTIFICATE),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }

  #give(path: string): void {
    if (this.#user !== undefined) Deno.chownSync(path, this.#user.uid, this.#user.gid);
  }
}

/** Absolute paths of PEM files. */
export interface TlsFiles {
  /** Whom a client of a test trusts. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
  /** Key and certificate in one file. */
  readonly keystore: string;
}
