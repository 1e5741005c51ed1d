/** Titles are read only up to this length, because the head is at the beginning. */
const HEAD_LIMIT = 1_000;

const HEAD =
  /^\s*(\[TEST\]\s*)?(?:\[(P[1-5])\]\s*)?\[((?:Re-)?(?:Triggered|Recovered|Warn|No Data)|Renotify|Alert)\b(?: on \{([^}]*)\})?[^\]]*\]\s*/i;

/** The parts of `[P2] [Triggered on {host:db-01}] Disk is full`. */
export type DatadogTitle = {
  name: string;
  /** `P1` to `P5`. */
  priority: string | null;
  state: string | null;
  scope: string | null;
};

/** A title without a head is only a name. The mark of a test stays. */
export function readDatadogTitle(title: string): DatadogTitle {
  const head = HEAD.exec(title.slice(0, HEAD_LIMIT));
  if (!head) return { name: title, priority: null, state: null, scope: null };
  const [whole, test = '', priority = null, state = null, scope = null] = head;
  const name = title.slice(whole.length);
  return { name: name.trim() ? `${test}${name}` : title, priority, state, scope };
}
