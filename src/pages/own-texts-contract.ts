import { stored } from '../language/contract.ts';
import { formOf, storedTextOf } from '../language/stored-form-contract.ts';

/**
 * The titles and texts that the service itself gives to pages. They are stored in English, like those that other tools send,
 * and each person gets them in their own language (decision 0315). Programs get them as they are stored.
 */

export function lateTitle(name: string): string {
  return stored('The heartbeat of {name} is late', { name });
}

export function backTitle(name: string): string {
  return stored('The heartbeat of {name} is back', { name });
}

/** `lastCallAt`: an instant as text. */
export function lateText(lastCallAt: string, intervalMinutes: number | string): string {
  return intervalMinutes === 1
    ? stored('The last call came at {time}. One is expected every minute.', { time: lastCallAt })
    : stored('The last call came at {time}. One is expected every {minutes} minutes.', {
        time: lastCallAt,
        minutes: intervalMinutes,
      });
}

/** `calledAt`: an instant as text. */
export function backText(calledAt: string): string {
  return stored('A call came at {time}.', { time: calledAt });
}

export function drillTitle(title: string): string {
  return stored('Drill: {title}', { title });
}

export function drillText(text: string): string {
  return stored(
    'This is a drill. Nothing is broken. Acknowledge it as you would acknowledge a page at night.\n\n{text}',
    { text },
  );
}

const TITLES = [lateTitle('{name}'), backTitle('{name}'), drillTitle('{title}')].map(formOf);
const TEXTS = [
  lateText('{time}', '{minutes}'),
  lateText('{time}', 1),
  backText('{time}'),
  drillText('{text}'),
].map(formOf);

/** The title of a page in the current language, if the service made it. */
export function titleText(title: string): string {
  return storedTextOf(TITLES, title);
}

/** A page with its title, and its text if it has one here, in the current language where the service made them. */
export function inWords<Page extends { title: string; text?: string }>(page: Page): Page {
  return {
    ...page,
    title: titleText(page.title),
    ...(page.text === undefined ? {} : { text: storedTextOf(TEXTS, page.text) }),
  };
}
