import type { Role } from '../src/people/contract.ts';

/** A person of the example. Names, addresses and numbers are fictitious; the numbers are reserved for that use. */
export type ExamplePerson = {
  /** The local part of the email address, and the username. */
  handle: string;
  name: string;
  role: Role;
  timeZone: string;
  phone: string;
};

const BERLIN = 'Europe/Berlin';
const LONDON = 'Europe/London';
const NEW_YORK = 'America/New_York';

export const PEOPLE: readonly ExamplePerson[] = [
  person('mira', 'Mira Okafor', 'owner', BERLIN, '+447700900101'),
  person('jonas', 'Jonas Weber', 'admin', BERLIN, '+447700900102'),
  person('sofia', 'Sofia Marchetti', 'member', 'Europe/Rome', '+447700900103'),
  person('tomasz', 'Tomasz Zielinski', 'member', 'Europe/Warsaw', '+447700900104'),
  person('ines', 'Inês Carvalho', 'member', 'Europe/Lisbon', '+447700900105'),
  person('lena', 'Lena Brandt', 'member', BERLIN, '+447700900106'),
  person('aisha', 'Aisha Rahman', 'admin', LONDON, '+447700900107'),
  person('callum', 'Callum Reid', 'member', LONDON, '+447700900108'),
  person('oliver', 'Oliver Hughes', 'member', LONDON, '+447700900109'),
  person('femi', 'Femi Adeyemi', 'member', LONDON, '+447700900110'),
  person('grace', 'Grace Kim', 'member', NEW_YORK, '+12025550111'),
  person('noah', 'Noah Lindqvist', 'member', NEW_YORK, '+12025550112'),
  person('mateo', 'Mateo Vargas', 'member', 'America/Mexico_City', '+12025550113'),
  person('hana', 'Hana Mori', 'member', 'Asia/Tokyo', '+447700900114'),
  person('ren', 'Ren Aoki', 'member', 'Asia/Tokyo', '+447700900116'),
  person('priya', 'Priya Menon', 'member', 'Asia/Singapore', '+447700900115'),
];

export const OWNER = 'mira';

export const TEAMS = [
  {
    slug: 'platform',
    name: 'Platform',
    manager: 'jonas',
    members: ['mira', 'jonas', 'sofia', 'tomasz', 'ines', 'lena'],
  },
  { slug: 'payments', name: 'Payments', manager: 'aisha', members: ['aisha', 'callum', 'oliver', 'femi'] },
  {
    slug: 'data',
    name: 'Data',
    manager: 'grace',
    members: ['grace', 'noah', 'mateo', 'hana', 'ren', 'priya'],
  },
] as const;
export type TeamSlug = (typeof TEAMS)[number]['slug'];

export function emailOf(handle: string): string {
  return `${handle}@example.com`;
}

function person(handle: string, name: string, role: Role, timeZone: string, phone: string): ExamplePerson {
  return { handle, name, role, timeZone, phone };
}
