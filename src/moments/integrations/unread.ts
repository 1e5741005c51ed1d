import { stored } from '../../language/contract.ts';

/**
 * Why a call cannot be read, as a stored sentence. `problem` is a clause, and `expected` names what should have arrived; both
 * are made by `stored`.
 */
export function unreadable(problem: string, expected: string): { error: string } {
  return { error: stored('{problem}; {expected} is expected.', { problem, expected }) };
}

/** A call whose body holds no object. `problem`: what `readPayload` says. */
export function unreadableBody(problem: string, expected: string): { error: string } {
  return unreadable(stored('the body {problem}', { problem }), expected);
}

/** A call that is what it should be, but lacks something without which no moment can be made. */
export function unrecordable(problem: string): { error: string } {
  return { error: stored('{problem}; nothing can be recorded.', { problem }) };
}

/** `field`: its name, such as `event_type`. */
export function bodyLacks(field: string): string {
  return stored('the body has no "{field}"', { field });
}
