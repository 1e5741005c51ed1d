import { sentenceOf } from '../language/sentence-contract.ts';

/** One problem with a request: the field, what is wrong with its value, and what would be accepted. */
export type Detail = { field: string; message: string };

/** The message of a detail as a complete sentence. */
export function sentence({ field, message }: Detail): string {
  return sentenceOf(field, message);
}

/** Several details as one string. */
export function sentences(details: readonly Detail[]): string {
  return details.map(sentence).join(' ');
}
