/** A created, changed or removed object, described for people. */
export type Change = {
  action: 'add' | 'change' | 'remove';
  kind: 'organization' | 'user' | 'team' | 'schedule' | 'source' | 'availability' | 'window' | 'pay_table';
  id: string;
  name: string;
  /** Each is a part of a sentence, such as `name: was Ada, is Ada Lovelace`, without secrets. */
  details: string[];
};

/** The signing secret of a webhook that was just generated. It is shown only once. */
export type NewSecret = { user: string; url: string; signingSecret: string };

/** `name: was Ada, is Ada Lovelace`; nothing when both are equal. Null means none. */
export function difference(what: string, before: string | null, after: string | null): string[] {
  return before === after ? [] : [`${what}: was ${shown(before)}, is ${shown(after)}`];
}

/** `contact methods: email ada@example.com` for a new object; nothing for null. */
export function beginning(what: string, value: string | null): string[] {
  return value === null ? [] : [`${what}: ${shown(value)}`];
}

function shown(value: string | null): string {
  if (value === null) return 'none';
  return value.length > 300 ? `${value.slice(0, 297)}…` : value;
}

/** `members: + ada@example.com, - bob@example.com`; nothing without changes. */
export function membership(what: string, added: readonly string[], removed: readonly string[]): string[] {
  const parts = [...added.map((name) => `+ ${name}`), ...removed.map((name) => `- ${name}`)];
  return parts.length > 0 ? [`${what}: ${parts.join(', ')}`] : [];
}
