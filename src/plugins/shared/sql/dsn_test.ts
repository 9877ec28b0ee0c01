import assert from "node:assert/strict";
import { dsnNeeds, parseDsn, type ServerDsn, shownDsn } from "./dsn.ts";
import { DsnError } from "./dsn_error.ts";
import type { SqlDriver } from "./sql_connection.ts";

const server = (driver: SqlDriver, text: string) => parseDsn(driver, text, "/etc/boats") as ServerDsn;

function refused(driver: SqlDriver, text: string, message: RegExp): void {
  assert.throws(() => parseDsn(driver, text, "/"), (caught) => {
    assert.ok(caught instanceof DsnError);
    assert.match(caught.message, message);
    assert.ok(!caught.message.includes("s3cret"), caught.message);
    return true;
  });
}

Deno.test("parseDsn: URLs and pairs of PostgreSQL, as libpq reads them", () => {
  const url = server(
    "postgres",
    "postgresql://bo%40t:s3%2Fcret@db.example:6432/sh%20op?connect_timeout=3&search_path=a,b",
  );
  assert.deepEqual(
    [url.host, url.port, url.user, url.password, url.database, url.tls.mode, url.connectTimeoutMs, url.settings],
    ["db.example", 6432, "bo@t", "s3/cret", "sh op", "prefer", 3000, { search_path: "a,b" }],
  );
  const pairs = server("postgres", "host=db user = boat password='it\\'s s3cret' dbname=shop sslmode=verify-full");
  assert.deepEqual([pairs.host, pairs.port, pairs.password, pairs.tls.mode], [
    "db",
    5432,
    "it's s3cret",
    "verify-full",
  ]);
  const six = server("postgres", "postgres://boat@[::1]/shop");
  assert.deepEqual([six.host, six.password, dsnNeeds(six)], ["::1", "", { net: ["[::1]:5432"] }]);
  refused("postgres", "postgres://boat:s3cret@db/x?sslmod=require", /unknown parameter sslmod; known are .*sslmode/);
  refused("postgres", "postgres://boat:s3cret@db/x?sslmode=maybe", /sslmode/);
  refused("postgres", "postgres://boat:s3cret@a@b/x", /%40/);
  refused("postgres", "postgres://boat:s3cret@db:99999/x", /port/);
  refused("postgres", "boat:s3cret", /postgres:\/\//);
  refused("postgres", "host=/run/postgresql user=boat password=s3cret", /sockets/);
});

Deno.test("parseDsn: TLS of PostgreSQL; files are read from the pipeline's folder, and are needed", () => {
  const mode = (query: string) => server("postgres", `postgres://u@h/d?${query}`).tls.mode;
  assert.deepEqual(
    ["sslmode=disable", "sslmode=allow", "sslmode=require", "sslrootcert=ca.pem&sslmode=require", "sslrootcert=system"]
      .map(mode),
    ["off", "prefer", "require", "verify-ca", "verify-full"],
  );
  const files = server(
    "postgres",
    "postgres://u@h/d?sslmode=verify-full&sslrootcert=ca.pem&sslcert=/a/c.pem&sslkey=k.pem",
  );
  assert.deepEqual(dsnNeeds(files), { net: ["h:5432"], read: ["/etc/boats/ca.pem", "/a/c.pem", "/etc/boats/k.pem"] });
  refused("postgres", "postgres://u@h/d?sslcert=c.pem", /certificate and its key/);
});

Deno.test("parseDsn: URLs of MySQL and the form of Go's driver", () => {
  const url = server("mysql", "mariadb://boat:s3cret@db/shop?ssl-mode=VERIFY_CA&ssl-ca=ca.pem&time_zone=SYSTEM");
  assert.deepEqual(
    [url.host, url.port, url.database, url.tls, url.settings],
    ["db", 3306, "shop", { mode: "verify-ca", caFile: "/etc/boats/ca.pem" }, { time_zone: "SYSTEM" }],
  );
  const go = server("mysql", "boat:s3:c@ret/x@tcp(db:3307)/shop?tls=skip-verify");
  assert.deepEqual(
    [go.user, go.password, go.host, go.port, go.tls.mode, go.settings],
    ["boat", "s3:c@ret/x", "db", 3307, "require", { time_zone: "+00:00" }],
  );
  assert.equal(shownDsn(go), 'mysql at db:3307, database "shop"');
  assert.deepEqual(dsnNeeds(go), { net: ["db:3307"], sys: ["systemMemoryInfo", "hostname"] });
  refused("mysql", "mysql://boat:s3cret@db", /database/);
  refused("mysql", "mysql://boat:s3cret@db/x?ssl-mode=on", /ssl-mode/);
  refused("mysql", "boat:s3cret@db/x", /tcp\(HOST:PORT\)/);
});

Deno.test("parseDsn: files of SQLite", () => {
  const file = (text: string) => parseDsn("sqlite", text, "/etc/boats");
  assert.deepEqual(file("shop.db"), { driver: "sqlite", path: "/etc/boats/shop.db", readOnly: false });
  assert.deepEqual(file("file:/data/sh%20op.db?mode=ro"), { driver: "sqlite", path: "/data/sh op.db", readOnly: true });
  assert.deepEqual(file("sqlite:///data/shop.db"), { driver: "sqlite", path: "/data/shop.db", readOnly: false });
  assert.deepEqual(file("sqlite://shop.db"), { driver: "sqlite", path: "/etc/boats/shop.db", readOnly: false });
  assert.deepEqual(dsnNeeds(file("shop.db")).write?.length, 4);
  refused("sqlite", ":memory:", /file/);
  refused("sqlite", "file:a.db?cache=shared", /unknown parameter cache/);
});
