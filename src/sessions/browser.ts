import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** The browser that a session lives in, as far as it says. */
export type Browser = {
  userAgent: string;
  /** Its whole address; only `place` is ever kept. */
  address: string;
  /** The address without its last part: enough to tell home from elsewhere, and not whose machine it was. */
  place: string;
};

export function browserOf(request: FastifyRequest): Browser {
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, 500);
  return { userAgent, address: request.ip, place: placeOf(request.ip) };
}

/** `203.0.113.…`, `2001:db8:7…`, or `this machine`. */
export function placeOf(address: string): string {
  const plain = address.replace(/^::ffff:/i, '');
  if (plain === '::1' || plain.startsWith('127.')) return 'this machine';
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.…`;
  return `${plain.split(':').slice(0, 3).join(':')}…`;
}

/** In this order: most browsers also name those that they want to be taken for. */
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

/** `Firefox on macOS`; what says nothing known is another browser. */
export function browserName(userAgent: string): string {
  const browser = BROWSERS.find(([form]) => form.test(userAgent))?.[1] ?? 'Another browser';
  const system = SYSTEMS.find(([form]) => form.test(userAgent))?.[1];
  return system ? `${browser} on ${system}` : browser;
}
