import { type Detail, sentence } from '../../../src/kit/detail-contract.ts';
import { saidOfField, sentenceOf } from '../../../src/language/sentence-contract.ts';
import { t, tIn, translated } from '../language/t.ts';
import { quoted } from './quoted.ts';
import { inClock, inLocale } from './time.ts';

/** A detail of a refusal as a sentence for people, with times as the viewer reads them. */
export function detailText(detail: Detail): string {
  const { field } = detail;
  const said = sentence(detail);
  const problem = saidOfField(field, said);
  const subject = SUBJECTS[field] ?? (LABELS[field] ? field : translated(capital(field)));
  return capital(forPeople(problem === null ? said : sentenceOf(subject, problem)));
}

/** What a sentence is about, whose names in the API differ from those in the catalogue. */
const SUBJECTS: Record<string, string> = {
  handoff: t('Hand-off'),
  period: t('Pay period'),
};

/** The same for the line below a field that has a visible label: “It is missing; give a name.” */
export function fieldText(detail: Detail): string {
  const said = sentence(detail);
  const problem = saidOfField(detail.field, said);
  if (problem === null) return capital(forPeople(said));
  return tIn('a field of a form', 'It {problem}', { problem: forPeople(problem) });
}

/** The labels of fields that a refusal names while it is about another field, as in “is not after starts_at”. */
const LABELS: Record<string, string> = {
  starts_at: t('From'),
  ends_at: t('To'),
  repeats_until: t('Last day'),
  rrule: t('RRULE'),
};
const NAMED = new RegExp(`(?<![\\w.])(?:${Object.keys(LABELS).join('|')})(?![\\w.])`, 'g');

function forPeople(text: string): string {
  return inLocale(inClock(text)).replace(NAMED, (field) => quoted(LABELS[field] ?? field));
}

/** A text of the service that begins in lower case and has no full stop, as a sentence. */
export function asSentence(text: string): string {
  return tIn('a text that becomes a sentence', '{text}.', { text: capital(text) });
}

export function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
