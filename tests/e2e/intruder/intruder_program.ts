/** Owns the starting of the custom build with the intruding plugins. */

import { compileProgram, sourceProgram, type Subject } from "../program.ts";

const MAIN = "tests/e2e/intruder/main.ts";
const ENTRIES = ["tests/e2e/intruder/pipeline_isolate.ts", "src/store_isolate.ts"];

/** The build, started as the shipped program would be; a compiled one is made in the folder. */
export async function intruderProgram(subject: Subject, folder: string): Promise<Subject> {
  if (subject.compiled) return await compileProgram(MAIN, ENTRIES, `${folder}/intruder`);
  return sourceProgram(MAIN);
}
