import { RRuleTemporal } from 'rrule-temporal';
import { toText } from 'rrule-temporal/totext';
import { type Pattern, patternText } from './pattern.ts';

/** A pattern as people would say it: `every week on Monday and Friday, hand-off 09:00`. */
export function patternWords(pattern: Pattern): string {
  return patternText(pattern, ruleWords);
}

function ruleWords(rrule: string): string {
  // Where counting begins says nothing about the rule; the hand-off tells the time.
  const rule = new RRuleTemporal({ rruleString: `DTSTART;TZID=UTC:20260105T000000\nRRULE:${rrule}` });
  return toText(rule).replace(/ at \d.*$/, '');
}
