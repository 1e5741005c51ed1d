import { locale, t } from '../../../language/contract.ts';
import type { Notification } from '../channel.ts';
import { canAcknowledge, canEscalate, clean, headline, repeatLine, shorten, whence } from '../wording.ts';
import { andSoOn, voiceOf } from './spoken.ts';

/** Twilio accepts 4,000 characters of TwiML (error 32018), and the text is spoken twice. */
const SPOKEN_TEXT = 600;

/**
 * The text of a call about a page: the page, twice, and then a prompt to press a key. `keyUrl` receives the key; null
 * if Twilio could not reach us.
 */
export async function pageTwiml(notification: Notification, keyUrl: string | null): Promise<string> {
  const response = await newResponse();
  const open = canAcknowledge(notification) && keyUrl !== null;
  const keys = open ? keysOf(notification) : t('Open the message on your phone to respond.');
  const voice = voiceOf(locale());
  const message = `${spokenPage(notification)} ${keys}`;
  // A pause, because the person may still be lifting the phone to their ear.
  response.pause({ length: 1 });
  const listener = open
    ? response.gather({ numDigits: 1, action: keyUrl, method: 'POST', timeout: 8, finishOnKey: '' })
    : response;
  listener.say(voice, message);
  listener.pause({ length: 1 });
  listener.say(voice, t('Again. {text}', { text: message }));
  response.say(voice, open ? t('No key was pressed. The page stays open. Goodbye.') : t('Goodbye.'));
  return response.toString();
}

function keysOf(notification: Notification): string {
  return canEscalate(notification)
    ? t('Press 4 to acknowledge. Press 6 to escalate.')
    : t('Press 4 to acknowledge.');
}

/** Speaks a text and hangs up. */
export async function farewellTwiml(text: string): Promise<string> {
  const response = await newResponse();
  response.say(voiceOf(locale()), speakable(t('{text} Goodbye.', { text }), 400));
  response.hangup();
  return response.toString();
}

/** Speaks a text and continues at `url`. */
export async function againTwiml(text: string, url: string): Promise<string> {
  const response = await newResponse();
  response.say(voiceOf(locale()), speakable(text, 400));
  response.redirect({ method: 'POST' }, url);
  return response.toString();
}

async function newResponse() {
  const { default: twilio } = await import('twilio');
  return new twilio.twiml.VoiceResponse();
}

function spokenPage(notification: Notification): string {
  const parts = [
    opening(notification),
    sentence(headline(notification)),
    sentence(speakable(notification.text, SPOKEN_TEXT)),
    moreText(notification),
    repeatLine(notification),
  ];
  return speakable(parts.filter((part) => part).join(' '), SPOKEN_TEXT + 500);
}

function opening(notification: Notification): string {
  const { urgency } = notification;
  const where = whence(notification);
  return where === null
    ? t(
        'Tocsin. {urgency, select, high {A page of high urgency.} medium {A page of medium urgency.} other {A page of low urgency.}}',
        { urgency },
      )
    : t(
        'Tocsin. {urgency, select, high {A page of high urgency for {where}.} medium {A page of medium urgency for {where}.} other {A page of low urgency for {where}.}}',
        { urgency, where },
      );
}

function moreText({ bundled }: Notification): string | null {
  const count = bundled.length;
  return count === 0
    ? null
    : t('{count, plural, one {And # more page.} other {And # more pages.}}', { count });
}

/** Ends the text with a full stop, which makes the voice pause. */
function sentence(text: string): string {
  return text === '' || /[.!?…:。！？：]$/.test(text) ? text : `${text}.`;
}

/** Removes URLs and brackets, which are useless when spoken and take up space when escaped. */
function speakable(text: string, max: number): string {
  const spoken = clean(text)
    .replace(/https?:\/\/\S+/g, () => t('a link'))
    .replaceAll('&', () => ` ${t('and')} `)
    .replace(/[<>]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return shorten(spoken, max, andSoOn());
}
