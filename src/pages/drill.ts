import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import type { PageBody } from './contract.ts';
import { drillText, drillTitle } from './own-texts-contract.ts';

/** The maximum lengths of titles and texts of pages. */
const MOST = { title: 200, text: 10_000 };

/**
 * The content of a drill. Every channel shows the title, so its mark reaches people on all of them. Content that was
 * already marked, for example in a repeated drill, does not change. @throws Fault if the drill has a dedup key, which
 * would join it to an open page about a real problem
 */
export function asDrill<Body extends PageBody>(body: Body): Body {
  if (!body.drill) return body;
  if (body.dedup_key !== undefined)
    throw new Fault('bad_request', [
      { field: 'drill', message: () => t('is true, but a drill has no dedup key; leave one of the two out') },
    ]);
  const isMarked = body.title.startsWith(drillTitle('')) && body.text.startsWith(drillText('').trimEnd());
  if (isMarked) return body;
  return {
    ...body,
    title: cut(drillTitle(body.title), MOST.title),
    text: cut(drillText(body.text), MOST.text),
  };
}

/** The beginning of a text without half of a character at its end. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}
