import type { PageFacts } from '../pages/keyed.ts';
import type { SourceEvent } from './contract.ts';
import { allHold, type Facts, factsOf } from './matcher.ts';

const MOST_LABELS = 50;
/** The maximum length of a matcher. Longer labels could not be matched. */
const LONGEST_LABEL = 500;

/** The facts that a page keeps of the event that raised it, or last repeated it. */
export function keptFacts({ severity, source, labels }: SourceEvent): PageFacts {
  return {
    severity: severity === null ? null : kept(severity),
    source: source === null ? null : kept(source),
    labels: labels
      .filter((label) => label.length <= LONGEST_LABEL)
      .slice(0, MOST_LABELS)
      .map(kept),
  };
}

/** The database stores no NUL and no halves of surrogate pairs in JSON. */
function kept(text: string): string {
  return text.slice(0, LONGEST_LABEL).replaceAll('\0', '').toWellFormed();
}

/** The facts of a page, as matchers compare them; null if it kept none. */
export function factsOfPage(page: {
  title: string;
  dedupKey: string | null;
  facts: PageFacts | null;
}): Facts | null {
  return page.facts && factsOf({ title: page.title, dedupKey: page.dedupKey, ...page.facts });
}

/** The matchers that a silence of such pages can have, for example `alertname=DiskFull`; bare tags as `tag=prod`. */
export function labelMatchers(facts: Facts): string[] {
  const pairs = [...facts].flatMap(([key, values]) => values.map((value) => ({ key, value })));
  const keys = new Set(facts.keys());
  return pairs.flatMap(({ key, value }) => {
    if (NOT_LABELS.includes(key) || (key === 'tag' && keys.has(keyOf(value)))) return [];
    const text = `${key}=${value}`;
    return text.length <= LONGEST_LABEL && allHold([text], facts) ? [text] : [];
  });
}

const NOT_LABELS = ['title', 'source', 'dedup_key'];

function keyOf(label: string): string {
  const at = label.search(/[=:]/);
  return at > 0 ? label.slice(0, at).trim() : '';
}
