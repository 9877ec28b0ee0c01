/** Owns the archives of loaded classes that halve the time which Kafka's programs need to start. */

import { isFile, kafkaJars } from "../installed.ts";

/** A program with classes of its own. */
export type ArchivedProgram = "node" | "tools";

/** Whether to load from the archive, or to write it when the program ends. */
export type ArchiveUse = "load" | "record";

/** The flags of the virtual machine. One that finds no archive, or that of another Java, starts without it. */
export function archiveFlags(program: ArchivedProgram, use: ArchiveUse): string[] {
  const archive = classArchive(program);
  if (use === "record") return [`-XX:ArchiveClassesAtExit=${archive}`];
  return isFile(archive) ? [`-XX:SharedArchiveFile=${archive}`] : [];
}

/** The archive's file: beside the jars, whose change would make it useless. */
export function classArchive(program: ArchivedProgram): string {
  return `${kafkaJars()}-${program}.jsa`;
}
