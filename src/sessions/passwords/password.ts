import type { Detail } from '../../kit/fault.ts';
import { t } from '../../language/contract.ts';

/** Length matters more than symbols: there are no rules about digits and signs, as NIST recommends. */
const SHORTEST = 10;
const LONGEST = 200;

/** Passwords that attackers try first, besides facts about the person. */
const TRIED_FIRST =
  /^(?:pass ?word|pass ?wort|qwert[yz]|asdfgh|letmein|welcome|changeme|iloveyou|tocsin|admin|abc)/i;

/** The problem with a chosen password; null if there is none. `known`: the person's name, address and organization. */
export function passwordProblems(password: string, known: readonly string[], field = 'password'): Detail[] {
  const length = [...password].length;
  if (length < SHORTEST)
    return [
      {
        field,
        message: t('has {length} characters; give at least {least}, such as a few unrelated words', {
          length,
          least: SHORTEST,
        }),
      },
    ];
  if (length > LONGEST)
    return [{ field, message: t('has {length} characters; give at most {most}', { length, most: LONGEST }) }];
  if (isGuessable(password, known))
    return [{ field, message: t('is easy to guess; give a few unrelated words instead') }];
  return [];
}

function isGuessable(password: string, known: readonly string[]): boolean {
  const folded = password.toLowerCase();
  if (new Set(folded).size < 5) return true;
  if (TRIED_FIRST.test(folded) && folded.replace(TRIED_FIRST, '').length < 6) return true;
  if ('01234567890123456789'.includes(folded) || 'abcdefghijklmnopqrstuvwxyz'.includes(folded)) return true;
  const whole = known.map((text) => text.toLowerCase());
  const words = whole.flatMap((text) => text.split(/[\s@.]+/)).filter((word) => word.length > 3);
  const rest = [...whole, ...words].reduce((text, word) => text.replaceAll(word, ''), folded);
  return rest !== folded && rest.length < 6;
}
