import { RRuleTemporal } from 'rrule-temporal';
import { toText } from 'rrule-temporal/totext';
import { type Pattern, patternText } from './pattern.ts';

/** A pattern in everyday words: `every week on Monday and Friday, hand-off 09:00`. */
export function patternWords(pattern: Pattern): string {
  return patternText(pattern, ruleWords);
}

function ruleWords(rrule: string): string {
  // The start does not affect the wording, and its time is removed because the hand-off has it.
  const rule = new RRuleTemporal({ rruleString: `DTSTART;TZID=UTC:20260105T000000\nRRULE:${rrule}` });
  return toText(rule).replace(/ at \d.*$/, '');
}
