/** What came, changed or went, in words for people. */
export type Change = {
  action: 'add' | 'change' | 'remove';
  kind: 'organization' | 'user' | 'team' | 'schedule' | 'availability';
  id: string;
  name: string;
  /** Each a part of a sentence such as `name: was Ada, is Ada Lovelace`. Never a secret. */
  details: string[];
};

/** A webhook's signing secret that was made just now; it is told once and never again. */
export type NewSecret = { user: string; url: string; signingSecret: string };

/** `name: was Ada, is Ada Lovelace`, or nothing when both are the same. Null is none. */
export function difference(what: string, before: string | null, after: string | null): string[] {
  return before === after ? [] : [`${what}: was ${shown(before)}, is ${shown(after)}`];
}

/** `contact methods: email ada@example.com`, for what is new; nothing for none. */
export function beginning(what: string, value: string | null): string[] {
  return value === null ? [] : [`${what}: ${shown(value)}`];
}

function shown(value: string | null): string {
  if (value === null) return 'none';
  return value.length > 300 ? `${value.slice(0, 297)}…` : value;
}

/** `members: + ada@example.com, - bob@example.com`, or nothing. */
export function membership(what: string, added: readonly string[], removed: readonly string[]): string[] {
  const parts = [...added.map((name) => `+ ${name}`), ...removed.map((name) => `- ${name}`)];
  return parts.length > 0 ? [`${what}: ${parts.join(', ')}`] : [];
}
