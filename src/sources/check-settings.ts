import type { Detail } from '../kit/fault.ts';
import { shapeOf } from '../kit/shape.ts';
import { FORMATS, settingFindings } from '../kit/validation.ts';
import { t } from '../language/contract.ts';
import { type SourceHours, type SourceRule, SourceSettings } from './contract.ts';
import { parseMatcher } from './matcher.ts';

const SHAPE = shapeOf<SourceSettings>(SourceSettings);

/** All problems with the settings of a source, as fields below `settings`. */
export function settingsProblems(settings: unknown): Detail[] {
  if (!SHAPE.fits(settings)) return settingFindings(SHAPE.findings(settings), 'settings');
  return [
    ...repeatedWords(Object.keys(settings.urgencies ?? {})),
    ...(settings.rules ?? []).flatMap((rule, index) => ruleProblems(rule, `settings.rules[${index}]`)),
    ...(settings.hours ? hoursProblems(settings.hours) : []),
  ];
}

/** Case is ignored, so one of two spellings would have no effect. */
function repeatedWords(words: readonly string[]): Detail[] {
  const bare = words.map((word) => word.trim().toLowerCase());
  return words.flatMap((word, index) => {
    const first = bare.indexOf(bare[index] ?? '');
    if (bare[index] === '')
      return [
        { field: 'settings.urgencies', message: t('has an empty word; give a word that the sender uses') },
      ];
    if (first === index) return [];
    const message = t('is the same word as {first}, because case is ignored; keep one', {
      first: words[first] ?? '',
    });
    return [{ field: `settings.urgencies.${word}`, message }];
  });
}

function ruleProblems({ match, then }: SourceRule, field: string): Detail[] {
  return [
    ...match.flatMap((text, index) => matcherProblems(text, `${field}.match[${index}]`)),
    ...thenProblems(then, `${field}.then`),
  ];
}

/** Problems of one matcher; rules and maintenance windows use the same ones. */
export function matcherProblems(text: string, field: string): Detail[] {
  const matcher = parseMatcher(text);
  return 'problem' in matcher ? [{ field, message: matcher.problem }] : [];
}

function thenProblems(then: SourceRule['then'], field: string): Detail[] {
  const problem = (message: string) => [{ field, message }];
  if (then.team !== undefined && then.person !== undefined)
    return problem(t('names a team and a person, but a page goes to only one; keep one of them'));
  if (then.stage !== undefined && then.person !== undefined)
    return problem(
      t('names a stage and a person, but only the schedule of a team has stages; keep one of them'),
    );
  if (then.stage !== undefined && !(Number.isFinite(then.stage) && then.stage > 0))
    return [
      {
        field: `${field}.stage`,
        message: t('is {stage}; give the number of a stage, such as 2', { stage: then.stage }),
      },
    ];
  const others = Object.keys(then).filter((name) => name !== 'ignore');
  const paging = others.filter((name) => name !== 'urgency' || then.urgency !== 'none');
  if (then.ignore && others.length > 0)
    return problem(
      t('ignores the event, so {others} would have no effect; leave {others} out', {
        others: others.join(', '),
      }),
    );
  if (then.urgency === 'none' && paging.length > 0)
    return problem(
      t('pages nobody, so {others} would have no effect; leave {others} out', { others: paging.join(', ') }),
    );
  return [];
}

function hoursProblems({ zone, weekly }: SourceHours): Detail[] {
  const field = 'settings.hours';
  const known = FORMATS['time-zone']?.(zone) ?? false;
  const unknownZone = {
    field: `${field}.zone`,
    message: t('is {zone}, which is not a known zone; give an IANA time zone such as Europe/Berlin', {
      zone: JSON.stringify(zone),
    }),
  };
  return [
    ...(known ? [] : [unknownZone]),
    ...weekly.flatMap(({ from, to }, index) => rangeProblems(from, to, `${field}.weekly[${index}]`)),
  ];
}

/** A range whose end is before its start ends on the next day, as in schedules. */
function rangeProblems(from: string, to: string, field: string): Detail[] {
  const after = t('is later than 24:00, the end of a day; give a local time such as 17:00');
  if (from >= '24:00')
    return [
      {
        field: `${field}.from`,
        message: t('is {from}, but a day begins at 00:00; give a time before 24:00', { from }),
      },
    ];
  if (to > '24:00') return [{ field: `${field}.to`, message: after }];
  if (from !== to) return [];
  return [
    {
      field: `${field}.to`,
      message: t('is the same as from; give from "00:00" and to "24:00" for whole days'),
    },
  ];
}
