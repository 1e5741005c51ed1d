import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { t } from '../language/contract.ts';

/** The information that a browser reveals about itself. */
export type Browser = {
  userAgent: string;
  /** Its full IP address; only `place` is stored. */
  address: string;
  /** The IP address without its last part: enough to recognize a network, but not a machine. */
  place: string;
};

export function browserOf(request: FastifyRequest): Browser {
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, 500);
  return { userAgent, address: request.ip, place: placeOf(request.ip) };
}

const THIS_MACHINE = 'this machine';

/** `203.0.113.…`, `2001:db8:7…`, or `this machine`, as sessions store it. */
export function placeOf(address: string): string {
  const plain = address.replace(/^::ffff:/i, '');
  if (plain === '::1' || plain.startsWith('127.')) return THIS_MACHINE;
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.…`;
  return `${plain.split(':').slice(0, 3).join(':')}…`;
}

/** A stored place in the current language. */
export function placeWords(place: string): string {
  return place === THIS_MACHINE ? t('this machine') : place;
}

/** The order matters, because most browsers also name the browsers that they imitate. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** For example `Firefox on macOS`, in the current language. */
export function browserName(userAgent: string): string {
  const browser = BROWSERS.find(([form]) => form.test(userAgent))?.[1] ?? t('Another browser');
  const system = SYSTEMS.find(([form]) => form.test(userAgent))?.[1];
  return system ? t('{browser} on {system}', { browser, system }) : browser;
}
