import { type Detail, sentence } from '../../../src/kit/detail-contract.ts';
import { tIn } from '../language/t.ts';

/** A detail of a refusal as a sentence for people. */
export function detailText(detail: Detail): string {
  return capital(sentence(detail));
}

/** The same for the line below a field that has a visible label: “It is missing; give a name.” */
export function fieldText(detail: Detail): string {
  const text = sentence(detail);
  if (!text.startsWith(`${detail.field} `)) return capital(text);
  return tIn('a field of a form', 'It {problem}', { problem: text.slice(detail.field.length + 1) });
}

export function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
