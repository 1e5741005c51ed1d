import { Fault } from '../kit/fault.ts';
import { intersects } from '../kit/interval.ts';
import { t, tIn } from '../language/contract.ts';
import { apartText } from '../schedules/apart.ts';
import { aloneText } from '../schedules/companions.ts';
import {
  exceededLimit,
  type Ineligibility,
  ineligibilities,
  isHard,
  restElsewhere,
} from '../schedules/eligibility.ts';
import { elsewhereRestText, inTheWay, simultaneousElsewhere } from '../schedules/elsewhere.ts';
import { exceededText } from '../schedules/limits-text.ts';
import { notPlannedText } from '../schedules/person-times.ts';
import { leftAlone, othersApart, type Roster, type Seated } from '../schedules/roster.ts';
import { momentText, spanText } from '../schedules/span-text.ts';

type Situation = { roster: Roster; schedule: { timeZone: string } };

/** Why a person cannot have a seat for a time, a sentence for each reason, worst first. */
export function ineligibilityTexts(
  { roster, schedule }: Situation,
  taker: { id: string; name: string },
  place: Seated,
): { ineligibility: Ineligibility; sentence: string }[] {
  return ineligibilities(roster, taker.id, place).map((ineligibility) => ({
    ineligibility,
    sentence: sentence(ineligibility, roster, taker, place, schedule.timeZone),
  }));
}

function sentence(
  ineligibility: Ineligibility,
  roster: Roster,
  { id, name }: { id: string; name: string },
  place: Seated,
  zone: string,
): string {
  const nameOf = (userId: string) => roster.names?.get(userId) ?? t('somebody');
  switch (ineligibility) {
    case 'away': {
      const record = roster.absences.get(id)?.find((absence) => intersects(absence, place));
      if (!record) return t('{name} is away', { name });
      return t('{name} is away from {span}', { name, span: spanText(record, zone) });
    }
    case 'busy': {
      const other = roster.stints.find(
        (stint) => stint.userId === id && stint.stage !== place.stage && intersects(stint, place),
      );
      if (!other) return t('{name} is on call in another stage at that time', { name });
      return t('{name} is on call in stage {stage} at that time, {span}', {
        ...{ name, stage: other.stage, span: spanText(other, zone) },
      });
    }
    case 'seated':
      return t('{name} is already on call in stage {stage} at that time', { name, stage: place.stage });
    case 'not_member':
      return t('{name} is not a member of stage {stage}', { name, stage: place.stage });
    case 'rest': {
      const other = restElsewhere(roster, id, place);
      if (other) return elsewhereRestText(name, inTheWay(other, place), zone, roster.restMs);
      return t('{name} has less than the {hours} hours of rest that the schedule requires', {
        ...{ name, hours: roster.restMs / 3_600_000 },
      });
    }
    case 'limit':
      return exceededText(name, exceededLimit(roster, id, place) ?? undefined);
    case 'junior':
    case 'apart': {
      const found = othersApart(roster, id, place).find(({ why }) => why === ineligibility);
      return apartText(ineligibility, name, nameOf(found?.other ?? ''));
    }
    case 'alone': {
      const [found] = leftAlone(roster, id, place);
      return aloneText(name, { because: 'alone', with: [], ...found }, nameOf);
    }
    case 'never':
    case 'not_yet':
    case 'left':
      return notPlannedText(name, ineligibility);
    case 'elsewhere': {
      const other = simultaneousElsewhere(roster.elsewhere, id, place);
      if (!other) return t('{name} is on call in another schedule', { name });
      return t('{name} is on call in {schedule} until {time}', {
        ...{ name, schedule: other.schedule, time: momentText(other.to, zone) },
      });
    }
  }
}

/**
 * Checks the rules and returns warnings about those that people may break. Only people who manage the schedule may put
 * a person on call who is not a member of the stage. @throws Fault `conflict` with every reason for a refusal
 */
export function requireEligible(
  situation: Situation & { manages: boolean },
  taker: { id: string; name: string },
  place: Seated,
  field: string,
): string[] {
  const found = ineligibilityTexts(situation, taker, place);
  const refuses = (ineligibility: Ineligibility) =>
    isHard(ineligibility) || (ineligibility === 'not_member' && !situation.manages);
  const refused = found.filter(({ ineligibility }) => refuses(ineligibility));
  if (refused.length > 0)
    throw new Fault(
      'conflict',
      refused.map(({ ineligibility, sentence: message }) => ({
        field,
        message:
          ineligibility === 'not_member'
            ? t('{problem}; a manager of the schedule can still do it.', { problem: capital(message) })
            : tIn('why a person cannot have a shift', '{problem}.', { problem: capital(message) }),
      })),
    );
  return found.map(({ sentence: warning }) => asSentence(warning));
}

/** With the full stop of the language. */
export function asSentence(text: string): string {
  return tIn('a text that becomes a sentence', '{text}.', { text });
}

/**
 * Capitalizes the message: a name may begin in lower case, and such a message would read as a continuation of its
 * field.
 */
function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
