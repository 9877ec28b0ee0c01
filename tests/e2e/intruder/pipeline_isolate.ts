/** The entry file of a pipeline's isolate that knows the intruding plugins. */

import { servePipeline } from "../../../mod.ts";
import { intruderSink, intruderSource, intruderTransform } from "./intruder_plugin.ts";

servePipeline([intruderSource, intruderTransform, intruderSink]);
