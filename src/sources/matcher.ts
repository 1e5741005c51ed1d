import { RE2JS } from 're2js';
import { createRecentMap } from '../kit/recent-map.ts';
import { t } from '../language/contract.ts';
import type { SourceEvent } from './contract.ts';

/** One condition of a rule or a window, for example `severity=critical`. */
export type Matcher = {
  key: string;
  operator: '=' | '!=' | '=~';
  value: string;
  /** For `=~`: the compiled value. */
  regex: RE2JS | null;
};

/** The values that matchers compare: every key with its values, because senders may repeat a label. */
export type Facts = ReadonlyMap<string, readonly string[]>;

const MATCHER = /^\s*([^\s=!~"]+)\s*(!=|=~|!~|=)\s*(.*?)\s*$/s;

/** Severities are compared without regard to case, as in `urgencies`. */
const ANY_CASE = 'severity';
/** Bounds the work for one text; with the limit on the length of a matcher, no regex comes close to it by accident. */
const MOST_INSTRUCTIONS = 2_000;
const LONGEST_VALUE = 4_096;

/** Reads a matcher; `problem` continues the name of its field. */
export function parseMatcher(text: string): Matcher | { problem: string } {
  const [, key, operator, written] = MATCHER.exec(text) ?? [];
  if (key === undefined || written === undefined || operator === undefined)
    return {
      problem: t('is {text}, which is not a matcher; write key=value, key!=value or key=~regex', {
        text: JSON.stringify(text),
      }),
    };
  if (operator === '!~')
    return {
      problem: t('is {text}, but there is no operator !~; write key=value, key!=value or key=~regex', {
        text: JSON.stringify(text),
      }),
    };
  const value = unquoted(written);
  if (operator !== '=~') return { key, operator: operator === '=' ? '=' : '!=', value, regex: null };
  const compiled = compile(value, key === ANY_CASE);
  return 'problem' in compiled ? compiled : { key, operator, value, regex: compiled.regex };
}

/** Alertmanager writes `severity="critical"`, and people copy it. */
function unquoted(value: string): string {
  return /^"[^"]*"$/.test(value) ? value.slice(1, -1) : value;
}

function compile(pattern: string, anyCase: boolean): { regex: RE2JS } | { problem: string } {
  try {
    const regex = RE2JS.compile(pattern, RE2JS.DOTALL | (anyCase ? RE2JS.CASE_INSENSITIVE : 0));
    if (regex.programSize() <= MOST_INSTRUCTIONS) return { regex };
    return {
      problem: t('has the regex {pattern}, which is too large; use fewer repetitions', {
        pattern: JSON.stringify(pattern),
      }),
    };
  } catch (error) {
    const reason = error instanceof Error ? reasonOf(error.message) : String(error);
    return {
      problem: t('has the regex {pattern}, which RE2 cannot read ({reason}); correct it', {
        ...{ pattern: JSON.stringify(pattern), reason },
      }),
    };
  }
}

/** Removes the library's prefix from its reason, and our flags from the pattern. */
function reasonOf(message: string): string {
  return message.replace(/^error parsing regexp: /, '').replace(/`\(\?i?s\)/, '`');
}

const MOST_REMEMBERED = 1_000;
const remembered = createRecentMap<string, Matcher | { problem: string }>(MOST_REMEMBERED);

/** Compiling a regex costs more than thousands of matches, and settings come from the database with every call. */
function parsed(text: string): Matcher | { problem: string } {
  const known = remembered.get(text);
  if (known) return known;
  const matcher = parseMatcher(text);
  remembered.set(text, matcher);
  return matcher;
}

/**
 * Everything that matchers can compare: `severity`, `title`, `source` and `dedup_key` of the event, its labels, and as
 * `tag` each label as the sender wrote it, so that bare tags can be matched, too.
 */
export function factsOf(
  event: Pick<SourceEvent, 'severity' | 'title' | 'source' | 'labels' | 'dedupKey'>,
): Facts {
  const facts = new Map<string, string[]>();
  const add = (key: string, value: string | null) => {
    if (value === null) return;
    const values = facts.get(key);
    if (values) values.push(value.trim());
    else facts.set(key, [value.trim()]);
  };
  for (const key of ['severity', 'title', 'source'] as const) add(key, event[key]);
  add('dedup_key', event.dedupKey);
  for (const label of event.labels) {
    add('tag', label);
    const at = label.search(/[=:]/);
    if (at > 0) add(label.slice(0, at).trim(), label.slice(at + 1));
  }
  return facts;
}

/**
 * Whether all matchers hold. As in Prometheus, a missing key is an empty text, a regex has to match the whole value,
 * and `.` matches line breaks. If a key has several values, one has to equal or match, and none may equal the value of
 * `!=`. An unreadable matcher does not hold; it was refused when the settings were saved.
 */
export function allHold(matchers: readonly string[], facts: Facts): boolean {
  return matchers.every((text) => {
    const matcher = parsed(text);
    return !('problem' in matcher) && holds(matcher, facts);
  });
}

function holds({ key, operator, value, regex }: Matcher, facts: Facts): boolean {
  const values = facts.get(key) ?? [''];
  if (regex) return values.some((one) => regex.matches(one.slice(0, LONGEST_VALUE)));
  const same = key === ANY_CASE ? equalInAnyCase : equal;
  const found = values.some((one) => same(one, value));
  return operator === '!=' ? !found : found;
}

function equal(a: string, b: string): boolean {
  return a === b;
}

function equalInAnyCase(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
