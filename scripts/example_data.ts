/** Owns the input of the examples: invented, drawn from a seed, the same on every machine. */

import { PROJECT_ROOT } from "./project_files.ts";
import { compileProto } from "./proto_compiler.ts";
import { shopSql } from "./example_shop.ts";
import { SeededDraw } from "./seeded_draw.ts";

const DAY_START_MS = Date.UTC(2026, 2, 2, 6, 0, 0);

const PEOPLE = [
  "Marta Lindqvist",
  "João Carvalho",
  "Aiko Tanaka",
  "Tomasz Zieliński",
  "Grace Okafor",
  "Ravi Menon",
  "Léa Fontaine",
  "Søren Holm",
  "Noor Haddad",
  "Emily Carter",
] as const;

const REGIONS = ["eu", "eu", "us", "us", "apac"] as const;
const CURRENCY = { eu: "EUR", us: "USD", apac: "SGD" } as const;

/** Every input file of the examples: its path below `examples/` and its text. */
export function exampleData(): ReadonlyMap<string, string> {
  return new Map([
    ["linear/orders.ndjson", lines(240, 11, order)],
    ["branching/payments.ndjson", lines(300, 12, payment)],
    ["fanin/web-1.log", lines(150, 13, webRequest)],
    ["fanin/web-2.log", lines(150, 14, webRequest)],
    ["fanin/worker.log", lines(120, 15, workerJob)],
    ["db-sync/shop.sql", shopSql(180, 19)],
    ["webhook/deliveries.ndjson", lines(60, 16, delivery)],
    [`collector/logs/${podFile("checkout-7d9c6b5f4-x2m9q", "shop", "checkout", 17)}`, serviceLog(90, 17, "checkout")],
    [`collector/logs/${podFile("payments-5f6d8c7b9-k4w7z", "shop", "payments", 18)}`, serviceLog(90, 18, "payments")],
    ["codecs/measurements.csv", measurements(200, 19)],
    ...gateways(100, 20),
  ]);
}

/** The compiled descriptor sets of the examples, by their path below `examples/`; the .proto text stands beside them. */
export function exampleDescriptors(): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  const text = Deno.readTextFileSync(new URL("examples/codecs/schemas/alarm.proto", PROJECT_ROOT));
  return new Map([["codecs/schemas/alarm.binpb", compileProto(new Map([["alarm.proto", text]]))]]);
}

/** Writes them all below the given folder. */
export function writeExampleData(folder: URL): void {
  for (const [path, text] of exampleData()) {
    const file = new URL(path, folder);
    Deno.mkdirSync(new URL(".", file), { recursive: true });
    Deno.writeTextFileSync(file, text);
  }
}

type Maker = (draw: SeededDraw, index: number, time: string) => Record<string, unknown>;

/** One JSON object a line, each some seconds after the one before. */
function lines(count: number, seed: number, make: Maker): string {
  const draw = new SeededDraw(seed);
  let ms = DAY_START_MS;
  let text = "";
  for (let index = 0; index < count; index++) {
    ms += draw.integer(200, 45_000);
    text += JSON.stringify(make(draw, index, new Date(ms).toISOString())) + "\n";
  }
  return text;
}

function order(draw: SeededDraw, index: number, time: string): Record<string, unknown> {
  const region = draw.pick(REGIONS);
  const articles = Array.from({ length: draw.integer(1, 4) }, () => ({
    sku: `${draw.pick(["TEA", "CUP", "KTL", "TIN", "FLT"])}-${draw.integer(100, 999)}`,
    quantity: draw.integer(1, 6),
    unit_price: draw.integer(2, 160) * 50,
  }));
  return {
    order_id: `SO-${100_001 + index}`,
    placed_at: time,
    region,
    currency: CURRENCY[region],
    customer: { id: draw.integer(1000, 9999), name: draw.pick(PEOPLE) },
    lines: articles,
  };
}

function payment(draw: SeededDraw, index: number, time: string): Record<string, unknown> {
  const region = draw.pick(REGIONS);
  const method = draw.pick(["card", "card", "card", "bank_transfer", "wallet"]);
  return {
    payment_id: `pay_${draw.hex(12)}`,
    sequence: index + 1,
    time,
    amount: draw.integer(150, 250_000) / 100,
    currency: CURRENCY[region],
    region,
    method,
    ...(method === "card"
      ? { card: { scheme: draw.pick(["visa", "mastercard"]), last4: String(draw.integer(1000, 9999)) } }
      : {}),
    risk: { score: Math.round(draw.fraction() ** 2 * 100) / 100, flags: draw.chance(0.1) ? ["new_device"] : [] },
  };
}

function webRequest(draw: SeededDraw, _index: number, time: string): Record<string, unknown> {
  const path = draw.pick(["/", "/products", "/products/tea-pots", "/cart", "/checkout", "/login", "/static/app.js"]);
  return {
    time,
    method: path === "/checkout" || path === "/login" ? "POST" : "GET",
    path,
    status: draw.pick([200, 200, 200, 200, 200, 304, 302, 404, 500]),
    bytes: draw.integer(180, 48_000),
    duration_ms: Math.round((2 + draw.fraction() ** 3 * 900) * 10) / 10,
    remote: `198.51.100.${draw.integer(1, 254)}`,
    agent: draw.pick(["Mozilla/5.0 (X11; Linux x86_64)", "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1)", "curl/8.11.0"]),
  };
}

function workerJob(draw: SeededDraw, index: number, time: string): Record<string, unknown> {
  const failed = draw.chance(0.08);
  return {
    time,
    job: draw.pick(["send_invoice", "resize_image", "sync_stock", "close_cart"]),
    id: 50_000 + index,
    attempt: failed ? draw.integer(2, 5) : 1,
    ok: !failed,
    ...(failed ? { error: draw.pick(["upstream timed out after 5 s", "no stock record for TIN-404"]) } : {}),
    took_ms: draw.integer(4, 4200),
  };
}

function delivery(draw: SeededDraw, index: number, time: string): Record<string, unknown> {
  const event = draw.pick(["parcel.created", "parcel.scanned", "parcel.scanned", "parcel.delivered"]);
  return {
    event,
    event_id: `evt_${draw.hex(16)}`,
    occurred_at: time,
    parcel: {
      tracking: `EB${(900_000_000 + index * 37).toString()}SE`,
      weight_g: draw.integer(80, 12_000),
      depot: draw.pick(["Malmö", "Göteborg", "Hamburg Süd", "Rotterdam"]),
    },
    // One in twelve carries a scan picture that is larger than what the receiving system takes.
    ...(index % 12 === 11 ? { scan: { format: "png", base64: draw.hex(3000) } } : {}),
  };
}

/** Beyond what a double holds: every digit counts. */
const FIRST_SEQUENCE = 9_007_199_254_741_000n;

/** A table with a header line. One line does not fit its columns, as it happens. */
function measurements(count: number, seed: number): string {
  const draw = new SeededDraw(seed);
  let ms = DAY_START_MS;
  let text = "sensor,sequence,taken_at,celsius,note\n";
  for (let index = 0; index < count; index++) {
    ms += draw.integer(500, 20_000);
    const sensor = `${draw.pick(["boiler", "chiller", "line"])}-${draw.integer(1, 6)}`;
    const celsius = index === 120 ? "n/a" : draw.chance(0.05) ? "" : String(draw.integer(180, 960) / 10);
    const note = draw.chance(0.1) ? draw.pick(['"drifting, see ticket"', '"""hot"" side"', "recalibrate; soon"]) : "";
    text += `${sensor},${FIRST_SEQUENCE + BigInt(index)},${ms},${celsius},${note}\n`;
  }
  return text;
}

/** The name a container runtime gives a log file. */
function podFile(pod: string, namespace: string, container: string, seed: number): string {
  return `${pod}_${namespace}_${container}-${new SeededDraw(seed).hex(64)}.log`;
}

const STACK_FRAMES = [
  "OrderService.reserve(OrderService.java:184)",
  "StockClient.decrement(StockClient.java:77)",
  "CheckoutHandler.handle(CheckoutHandler.java:51)",
  "Router.dispatch(Router.java:119)",
] as const;

/** Lines of a service, some followed by the stack of an exception. */
function serviceLog(count: number, seed: number, service: string): string {
  const draw = new SeededDraw(seed);
  let ms = DAY_START_MS;
  let text = "";
  for (let index = 0; index < count; index++) {
    ms += draw.integer(40, 30_000);
    const stamp = new Date(ms).toISOString().replace("T", " ").replace("Z", "");
    if (draw.chance(0.1)) {
      text += `${stamp} ERROR [${service}] request ${draw.hex(8)} failed\n`;
      text += `java.net.SocketTimeoutException: no answer within ${draw.integer(1, 9)} s\n`;
      for (const frame of STACK_FRAMES) text += `\tat shop.${service}.${frame}\n`;
    } else {
      const level = draw.pick(["INFO ", "INFO ", "INFO ", "DEBUG", "WARN "]);
      text += `${stamp} ${level} [${service}] request ${draw.hex(8)} done in ${draw.integer(3, 480)} ms\n`;
    }
  }
  return text;
}

if (import.meta.main) {
  const folder = new URL("../examples/", import.meta.url);
  writeExampleData(folder);
  for (const [path, bytes] of exampleDescriptors()) Deno.writeFileSync(new URL(path, folder), bytes);
}

/** What two gateways heard of so many readings: each by one of them or both, and some of them again and again. */
function gateways(count: number, seed: number): [string, string][] {
  const draw = new SeededDraw(seed);
  const heard: [string[], string[]] = [[], []];
  for (let index = 0; index < count; index++) {
    const reading = {
      meter: `M-${draw.integer(1, 9)}`,
      counter: 5_000 + index,
      at: new Date(DAY_START_MS + index * 30_000).toISOString(),
      litres: draw.integer(10, 900) / 10,
    };
    const [first, second] = draw.chance(0.5) ? heard : [heard[1], heard[0]];
    for (let times = draw.integer(1, 3); times > 0; times--) {
      first.push(JSON.stringify({ ...reading, rssi: -draw.integer(40, 110) }));
    }
    if (draw.chance(0.6)) second.push(JSON.stringify({ ...reading, rssi: -draw.integer(40, 110) }));
  }
  return heard.map((lines, n) => [`dedupe/gateway-${n + 1}.ndjson`, `${lines.join("\n")}\n`]);
}
