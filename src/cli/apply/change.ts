/** What came, changed or went, in words for people. */
export type Change = {
  action: 'add' | 'change' | 'remove';
  kind: 'organization' | 'user' | 'team' | 'schedule' | 'availability';
  id: string;
  name: string;
  /** Each a sentence's part such as `name was "Ada", is "Ada Lovelace"`. Never a secret. */
  details: string[];
};

/** A webhook's signing secret that was made just now; it is told once and never again. */
export type NewSecret = { user: string; url: string; signingSecret: string };

/** `name was "Ada", is "Ada Lovelace"`, or nothing when both are the same. */
export function difference(what: string, before: unknown, after: unknown): string[] {
  if (before === after) return [];
  return [
    `${what} ${before === null ? 'was none' : `was ${shown(before)}`}, is ${after === null ? 'none' : shown(after)}`,
  ];
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}

/** `members: + ada@example.com, - bob@example.com`, or nothing. */
export function membership(what: string, added: readonly string[], removed: readonly string[]): string[] {
  const parts = [...added.map((name) => `+ ${name}`), ...removed.map((name) => `- ${name}`)];
  return parts.length > 0 ? [`${what}: ${parts.join(', ')}`] : [];
}
