import { type Detail, sentence } from '../../../src/kit/detail-contract.ts';
import { saidOfField } from '../../../src/language/sentence-contract.ts';
import { tIn } from '../language/t.ts';
import { inClock } from './time.ts';

/** A detail of a refusal as a sentence for people, with times as the viewer reads them. */
export function detailText(detail: Detail): string {
  return capital(inClock(sentence(detail)));
}

/** The same for the line below a field that has a visible label: “It is missing; give a name.” */
export function fieldText(detail: Detail): string {
  const text = inClock(sentence(detail));
  const problem = saidOfField(detail.field, text);
  return problem === null ? capital(text) : tIn('a field of a form', 'It {problem}', { problem });
}

/** A text of the service that begins in lower case and has no full stop, as a sentence. */
export function asSentence(text: string): string {
  return tIn('a text that becomes a sentence', '{text}.', { text: capital(text) });
}

export function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
