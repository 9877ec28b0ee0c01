/** Owns what a topic may be called. */

/** As brokers check it. */
export const TOPIC_PATTERN = "^[a-zA-Z0-9._-]{1,249}$";
