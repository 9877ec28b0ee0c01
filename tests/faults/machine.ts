/** Owns what a test asks of the machine it runs on, so that it can make real faults. */

import { programTest, type Subject } from "../e2e/program.ts";
import { canLosePower } from "./lossy_disk.ts";

/** Mounting small disks, disks that lose their power, letting system calls fail. */
export type MachineAbility = "mount" | "power loss" | "strace";

/**
 * Registers a test for each way to start the program. Where the machine cannot do what is needed it is skipped and says
 * so on stderr; with `CI=true` it fails.
 */
export function faultTest(
  name: string,
  abilities: readonly MachineAbility[],
  fn: (subject: Subject, folder: string) => Promise<void>,
): void {
  const missing = abilities.filter((ability) => !isAble(ability));
  if (missing.length === 0 || Deno.env.get("CI") === "true") return programTest(name, fn);
  console.error(`SKIPPED: ${name}: this machine cannot do: ${missing.join(", ")}`);
  Deno.test({ name, ignore: true, fn() {} });
}

/** The program under strace, which lets system calls fail as `inject` says; what it saw goes to `logPath`. */
export function straced(subject: Subject, inject: readonly string[], logPath: string): Subject {
  return {
    ...subject,
    command: findCommand("strace") ?? "strace",
    // The program stays this process's child (-D), so that signals reach it and not its tracer.
    args: ["-D", "-f", "--seccomp-bpf", "-qq", "-o", logPath, ...inject, subject.command, ...subject.args],
  };
}

function isAble(ability: MachineAbility): boolean {
  if (ability === "power loss") return canLosePower();
  return Deno.build.os === "linux" && (ability === "mount" ? Deno.uid() === 0 : findCommand("strace") !== undefined);
}

/** Absolute, because the compiled program is started without a path. */
function findCommand(name: string): string | undefined {
  return ["/usr/bin", "/usr/local/bin", "/bin"].map((folder) => `${folder}/${name}`).find(exists);
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (caught) {
    if (!(caught instanceof Deno.errors.NotFound)) throw caught;
    return false;
  }
}
