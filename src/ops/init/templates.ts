/** Owns the list of templates. */

import type { Template } from "./template.ts";
import { collectorTemplate } from "./templates/collector_template.ts";
import { fileTemplate } from "./templates/file_template.ts";
import { kafkaTemplate } from "./templates/kafka_template.ts";
import { sqlTemplate } from "./templates/sql_template.ts";
import { webhookTemplate } from "./templates/webhook_template.ts";

/** Every template, in the order of lists. */
export const TEMPLATES: readonly Template[] = [
  fileTemplate,
  webhookTemplate,
  kafkaTemplate,
  sqlTemplate,
  collectorTemplate,
];

/** The one that is taken where none is named: it needs no server, and runs as it is. */
export const TEMPLATE_DEFAULT = fileTemplate.name;
