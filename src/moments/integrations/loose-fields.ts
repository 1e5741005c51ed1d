import { field, isObject, type JsonObject, textField } from './payload.ts';

/**
 * The fields of a body whose template people write themselves. They are found under any spelling of their name:
 * `alert_title`, `ALERT_TITLE`, `alertTitle` or `$alert.title$`.
 */
export type LooseFields = {
  /** The first of the names that has a text. Variables that the sender did not fill count as absent. */
  text(...names: string[]): string | null;
  /** The first of the names that has any value. */
  value(...names: string[]): unknown;
  /** Texts of a list, or of a text with commas. */
  list(...names: string[]): string[];
};

/** `inside`: objects in the body whose fields are used if the body has no field with that name. */
export function looseFields(body: JsonObject, inside: readonly string[] = []): LooseFields {
  const fields = new Map<string, unknown>();
  for (const object of [body, ...inside.map((name) => field(body, name))])
    if (isObject(object))
      for (const name of Object.keys(object)) {
        const key = bare(name);
        if (isAbsent(fields.get(key))) fields.set(key, field(object, name));
      }
  const named = (name: string) => fields.get(bare(name));
  return {
    text: (...names) => first(names, (name) => filledText(named(name))),
    value: (...names) => first(names, (name) => (isAbsent(named(name)) ? null : named(name))),
    list: (...names) => first(names, (name) => texts(named(name))) ?? [],
  };
}

/** Only the letters and digits of names are compared. */
function bare(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && filledText(value) === null);
}

/** The placeholders for “nothing” in the templates of Datadog, Zabbix, Nagios, Icinga and Handlebars. */
const UNFILLED =
  /^(?:null|undefined|none|\$[A-Za-z_][\w.[\]:-]*\$?|\{\$?[A-Z][A-Z0-9_.:]*\}|\{\{[^{}]*\}\}|\*UNKNOWN\*)$/;
const LONGEST_VARIABLE = 100;

/** The value as text; null if it is missing, blank, or an unfilled variable. */
export function filledText(value: unknown): string | null {
  const text = textField({ value }, 'value');
  if (text === null || (text.length <= LONGEST_VARIABLE && UNFILLED.test(text.trim()))) return null;
  return text;
}

const LONGEST_LIST = 200;

function texts(value: unknown): string[] | null {
  const list = typeof value === 'string' ? value.split(',', LONGEST_LIST) : value;
  if (!Array.isArray(list)) return null;
  const filled = list.slice(0, LONGEST_LIST).flatMap((one) => filledText(one)?.trim() ?? []);
  return filled.length > 0 ? filled : null;
}

function first<T>(names: readonly string[], read: (name: string) => T | null): T | null {
  for (const name of names) {
    const found = read(name);
    if (found !== null && found !== undefined) return found;
  }
  return null;
}
