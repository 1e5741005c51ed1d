import { apartText } from '../../schedules/apart.ts';
import { aloneText } from '../../schedules/companions.ts';
import { elsewhereRestText, elsewhereText } from '../../schedules/elsewhere.ts';
import { exceededText } from '../../schedules/limits-text.ts';
import { NOT_PLANNED } from '../../schedules/person-times.ts';
import type { Contradiction, IneligibleMember } from '../../schedules/planner.ts';

const HOUR = 3_600_000;

export type Words = {
  /** The name of a user. */
  nameOf(userId: string): string;
  timeZone: string;
  restMs: number;
};

/**
 * Why nobody has a shift, as a sentence: `nobody can take stage 1 from 24 December 09:00 to …: Ada is away until 27
 * December 00:00, …`. Times are in the time zone of the schedule.
 */
export function contradictionText({ shifts, takers, obstacles }: Contradiction, words: Words): string {
  const [gap, ...others] = shifts;
  if (!gap) return 'nobody can take this shift';
  const when = `from ${localTime(gap.from, words)} to ${localTime(gap.to, words)}`;
  const head = `nobody can take stage ${gap.stage} ${when}`;
  const facts = obstacles.map((obstacle) => obstacleText(obstacle, words));
  if (takers.length > 0) {
    const stages = list([gap, ...others].map(({ stage }) => `stage ${stage}`));
    const names = list(takers.map(words.nameOf));
    facts.unshift(`for ${stages} there ${takers.length === 1 ? 'is' : 'are'} only ${names}`);
  }
  return `${head}: ${facts.length > 0 ? facts.join('; ') : 'the stage has no members'}`;
}

function obstacleText(obstacle: IneligibleMember, words: Words): string {
  const name = words.nameOf(obstacle.userId);
  switch (obstacle.because) {
    case 'unavailable':
      return `${name} is away until ${localTime(obstacle.record.to, words)}`;
    case 'busy':
      return `${name} has stage ${obstacle.duty.stage} until ${localTime(obstacle.duty.to, words)}`;
    case 'limit':
      return `${name} ${exceededText(obstacle.limit)}`;
    case 'junior':
      return `${name} ${apartText('junior', words.nameOf(obstacle.junior))}`;
    case 'apart':
      return `${name} ${apartText('apart', words.nameOf(obstacle.other))}`;
    case 'alone':
      return `${name} ${aloneText(obstacle, words.nameOf)}`;
    case 'never':
    case 'not_yet':
    case 'left':
      return `${name} ${NOT_PLANNED[obstacle.because]}`;
    case 'elsewhere':
      return `${name} ${obstacle.elsewhere ? elsewhereText(obstacle.elsewhere, words.timeZone) : 'has a shift of another schedule'}`;
    case 'elsewhere_rest':
      return `${name} ${elsewhereRestText(obstacle.elsewhere, words.timeZone, words.restMs)}`;
    case 'rest': {
      const { stage, from, to } = obstacle.duty;
      const span = `${localTime(from, words)} to ${localTime(to, words)}`;
      return `${name} has stage ${stage} from ${span} and needs ${hours(words.restMs)} of rest`;
    }
  }
}

function hours(ms: number): string {
  const count = Math.round((ms / HOUR) * 10) / 10;
  return count === 1 ? '1 hour' : `${count} hours`;
}

function list(items: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(items);
}

/** `24 December 09:00`, in the time zone of the schedule. */
export function localTime(ms: number, { timeZone }: Pick<Words, 'timeZone'>): string {
  const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
  const month = at.toLocaleString('en-GB', { month: 'long' });
  return `${at.day} ${month} ${at.toPlainTime().toString({ smallestUnit: 'minute' })}`;
}
