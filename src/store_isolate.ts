/** The entry file of a store's isolate: it imports the store's room and nothing else, since a Worker loads its graph anew. */
import type { FromStore, IsolateScope, ToStore } from "./isolate/mod.ts";
import { serveStore } from "./store/mod.ts";

// A module Worker's global scope has these two members; the compiler's library for it cannot be loaded beside ours.
const scope = self as unknown as IsolateScope<ToStore, FromStore>;
const clientLost = new AbortController();

scope.onmessage = async ({ data }) => {
  if (data.kind === "client_lost") return clientLost.abort();
  // A store that cannot be opened is told to the client; either way its file is released when this settles.
  await serveStore(data.port, {
    ...data.start,
    clientLost: clientLost.signal,
    log: {
      log: (level, message, fields) =>
        scope.postMessage({ kind: "log", level, message, ...(fields === undefined ? {} : { fields }) }),
    },
  });
  scope.postMessage({ kind: "closed" });
};
