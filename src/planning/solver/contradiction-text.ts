import { listed, locale, t, tIn } from '../../language/contract.ts';
import { apartText } from '../../schedules/apart.ts';
import { aloneText } from '../../schedules/companions.ts';
import { elsewhereRestText, elsewhereText } from '../../schedules/elsewhere.ts';
import { exceededText } from '../../schedules/limits-text.ts';
import { notPlannedText } from '../../schedules/person-times.ts';
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
  if (!gap) return t('nobody can take this shift');
  const facts = obstacles.map((obstacle) => obstacleText(obstacle, words));
  if (takers.length > 0) {
    const stages = listed([gap, ...others].map(({ stage }) => t('stage {stage}', { stage })));
    facts.unshift(
      t('for {stages} there {count, plural, one {is} other {are}} only {people}', {
        ...{ stages, count: takers.length, people: listed(takers.map(words.nameOf)) },
      }),
    );
  }
  return nobodyText(gap, facts, words);
}

/** `facts`: why each person cannot; none if there is nobody who could. */
export function nobodyText(
  { stage, from, to }: { stage: number; from: number; to: number },
  facts: readonly string[],
  zone: Pick<Words, 'timeZone'>,
): string {
  const values = { stage, from: localTime(from, zone), to: localTime(to, zone) };
  return facts.length === 0
    ? t('nobody can take stage {stage} from {from} to {to}: the stage has no members', values)
    : t('nobody can take stage {stage} from {from} to {to}: {why}', { ...values, why: allText(facts) });
}

function allText(facts: readonly string[]): string {
  return facts.reduce((before, next) => tIn('facts after each other', '{before}; {next}', { before, next }));
}

function obstacleText(obstacle: IneligibleMember, words: Words): string {
  const { timeZone, restMs } = words;
  const name = words.nameOf(obstacle.userId);
  switch (obstacle.because) {
    case 'unavailable':
      return t('{name} is away until {time}', { name, time: localTime(obstacle.record.to, words) });
    case 'busy': {
      const { stage, to } = obstacle.duty;
      return t('{name} has stage {stage} until {time}', { name, stage, time: localTime(to, words) });
    }
    case 'limit':
      return exceededText(name, obstacle.limit);
    case 'junior':
      return apartText('junior', name, words.nameOf(obstacle.junior));
    case 'apart':
      return apartText('apart', name, words.nameOf(obstacle.other));
    case 'alone':
      return aloneText(name, obstacle, words.nameOf);
    case 'never':
    case 'not_yet':
    case 'left':
      return notPlannedText(name, obstacle.because);
    case 'elsewhere':
      return obstacle.elsewhere
        ? elsewhereText(name, obstacle.elsewhere, timeZone)
        : t('{name} has a shift of another schedule', { name });
    case 'elsewhere_rest':
      return elsewhereRestText(name, obstacle.elsewhere, timeZone, restMs);
    case 'rest': {
      const { stage, from, to } = obstacle.duty;
      return t(
        '{name} has stage {stage} from {from} to {to} and needs {hours, plural, one {# hour} other {# hours}} of rest',
        {
          ...{ name, stage, from: localTime(from, words), to: localTime(to, words) },
          hours: Math.round((restMs / HOUR) * 10) / 10,
        },
      );
    }
  }
}

/** `24 December 09:00`, in the time zone of the schedule. */
function localTime(ms: number, { timeZone }: Pick<Words, 'timeZone'>): string {
  const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
  const day = at.toLocaleString(locale() === 'en' ? 'en-GB' : locale(), { day: 'numeric', month: 'long' });
  return `${day} ${at.toPlainTime().toString({ smallestUnit: 'minute' })}`;
}
