import { t } from '../../../language/contract.ts';
import { titleText } from '../../../pages/own-texts-contract.ts';
import type { AcknowledgeResult } from '../../inbound/ports.ts';
import { shorten } from '../wording.ts';
import { smsSegments, withoutAccents } from './text.ts';

/** The meaning of a text message to our number. `code` is in capitals. */
export type SmsReply =
  | { kind: 'acknowledge'; code: string | null }
  | { kind: 'subscription' }
  | { kind: 'unclear' };

/** Twilio itself answers these words. */
const SUBSCRIPTION = /^(stop|stopall|unsubscribe|cancel|end|quit|start|unstop|help|info)$/i;
/** These words acknowledge even if more text follows: “ack, on my way”. */
const PLAIN_WORD = /^(ack|acknowledge|acknowledged)\b/i;
/** These acknowledge only alone or with a code. 4 and 1 are also keys that acknowledge in a call. */
const SHORT_WORD = /^(a|y|yes|ok|okay|4|1)$/i;
/** 3 to 10 letters or digits, at least one of them a digit. */
const CODE = /^(?=[a-z]*\d)[a-z0-9]{3,10}$/i;

export function parseSmsReply(body: string): SmsReply {
  // Japanese keyboards type wide letters and digits: ＡＣＫ　４８２１.
  const text = body
    .normalize('NFKC')
    .replace(/^ack(?=\d)/i, 'ack ')
    .trim();
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const [first = '', ...others] = words;
  if (words.length === 1 && SUBSCRIPTION.test(first)) return { kind: 'subscription' };
  if (PLAIN_WORD.test(first)) return acknowledge(others.find((word) => CODE.test(word)));
  if (words.length === 1 && CODE.test(first)) return acknowledge(first);
  const [second] = others;
  if (SHORT_WORD.test(first) && (second === undefined || (others.length === 1 && CODE.test(second)))) {
    return acknowledge(second);
  }
  return { kind: 'unclear' };
}

function acknowledge(code: string | undefined): SmsReply {
  return { kind: 'acknowledge', code: code?.toUpperCase() ?? null };
}

/** ACK works in all languages and is never translated. */
export function smsHelp(): string {
  return withoutAccents(
    t('Tocsin did not understand that. Reply ACK and the code of the page to acknowledge it.'),
  );
}

/** The reply, short enough for one or two segments of the plain alphabet. */
export function acknowledgeAnswer(result: AcknowledgeResult, code: string | null): string {
  return withoutAccents(answerText(result, code));
}

function answerText(result: AcknowledgeResult, code: string | null): string {
  const title = shorten(titleText(result.title ?? ''), 90, '...');
  const who = shorten(result.by ?? '', 40, '...');
  switch (result.outcome) {
    case 'acknowledged':
      return title ? t('Acknowledged: {title}', { title }) : t('Acknowledged.');
    case 'already':
      if (who) {
        return title
          ? t('Already acknowledged by {who}: {title}', { who, title })
          : t('Already acknowledged by {who}.', { who });
      }
      return title ? t('Already acknowledged: {title}', { title }) : t('Already acknowledged.');
    case 'not_open':
      return title ? t('This page is no longer open: {title}', { title }) : t('This page is no longer open.');
    case 'choose':
      return choice(result.pages ?? []);
    case 'unknown':
      return code
        ? t('No page with the code {code} was sent to this number.', { code })
        : t('No open page was sent to this number.');
  }
}

/** Few enough for a message of three segments. */
const MOST_NAMED = 5;

function choice(pages: readonly { code: string; title: string }[]): string {
  const named = (most: number) =>
    pages
      .slice(0, MOST_NAMED)
      .map(({ code, title }) => `${code} ${shorten(titleText(title), most, '...')}`)
      .join('; ');
  const text = (titles: string) =>
    pages.length > MOST_NAMED
      ? t('Which page? Reply ACK and its code: {titles}; open the dashboard for the others', { titles })
      : t('Which page? Reply ACK and its code: {titles}', { titles });
  // A segment in a non-GSM alphabet holds less than half as much.
  const long = text(named(40));
  return smsSegments(long) <= 3 ? long : text(named(16));
}
