import type { Scope } from '../keys/contract.ts';
import { ROLES, type Role } from './contract.ts';

/**
 * Who holds a right: owners and admins of the organization, managers of the team concerned, and people of that team (for
 * a page, also everyone whom it notified).
 */
type Holder = 'owner' | 'admin' | 'manager' | 'team';

/**
 * The one table of rights to the organization and its teams. Everything that is not listed is open to everybody, or
 * only to its owner.
 */
const RIGHTS = {
  'organization.change': ['owner', 'admin'],
  /** Applying the operator's file to the organization over the API. */
  'file.apply': ['owner'],
  'organization.require_two_factor': ['owner'],
  'audit.read': ['owner', 'admin'],
  'channels.test': ['owner', 'admin'],
  /** The providers of email, SMS, calls and chat, which the whole installation uses. */
  'providers.manage': ['owner', 'admin'],
  'system.read': ['owner', 'admin'],
  'people.change': ['owner', 'admin'],
  'people.invite': ['owner', 'admin', 'manager'],
  'teams.create': ['owner', 'admin'],
  'teams.delete': ['owner', 'admin'],
  'team.change': ['owner', 'admin', 'manager'],
  'team.members': ['owner', 'admin', 'manager'],
  'team.schedules': ['owner', 'admin', 'manager'],
  'team.webhooks': ['owner', 'admin', 'manager'],
  /** Acting on the team's pages and moments, and retrying its failed webhook calls. */
  'team.respond': ['owner', 'admin', 'team'],
  /** Maintenance windows and silences: people who answer the team's pages also decide what does not page for a time. */
  'team.windows': ['owner', 'admin', 'manager', 'team'],
  /** Writing for the next hand-off of the team's schedules. */
  'team.handoffs': ['owner', 'admin', 'manager', 'team'],
  /** Saving filters of the lists of pages and moments for the team. */
  'team.views': ['owner', 'admin', 'manager', 'team'],
  'reports.answers': ['owner', 'admin', 'manager'],
  /** Rates, periods and everybody's statements. People's own statements are not in this table. */
  'pay.manage': ['owner', 'admin'],
  /** Entering the availability of another person; managers may do so for the people of their teams. */
  'availabilities.of_others': ['owner', 'admin', 'manager'],
  /** Calendars from which another person's absences are read. */
  'availability_sources.of_others': ['owner', 'admin'],
} as const satisfies Record<string, readonly Holder[]>;
export type Right = keyof typeof RIGHTS;

/** `manages` and `ofTheTeam`: the team, or all of the teams, that the right concerns. */
export type Actor = { role: Role; manages?: boolean; ofTheTeam?: boolean };

export function may({ role, manages = false, ofTheTeam = false }: Actor, right: Right): boolean {
  const holders: readonly string[] = RIGHTS[right];
  return (
    holders.includes(role) ||
    (manages && holders.includes('manager')) ||
    (ofTheTeam && holders.includes('team'))
  );
}

/** Whether a person with one role may change, disable or invite a person with another; never one with a higher role. */
export function mayActOn(actor: Role, target: Role): boolean {
  return may({ role: actor }, 'people.change') && rank(actor) >= rank(target);
}

/** Whether a person may grant this role; never a higher one than their own. */
export function mayGive(actor: Actor, role: Role): boolean {
  if (actor.manages && role === 'member') return true;
  return may({ role: actor.role }, 'people.change') && rank(actor.role) >= rank(role);
}

/** Whether a change of role takes rights away. */
export function isDemotion(from: Role, to: Role): boolean {
  return rank(to) < rank(from);
}

/** A higher number has more rights. */
function rank(role: Role): number {
  return ROLES.length - ROLES.indexOf(role);
}

/**
 * What a request must show at a route before its rights are checked:
 * - `open`: nothing.
 * - `secret`: a secret in the path, or a signature of the body.
 * - a scope: an API key that has it, or that was made without scopes.
 * - `signed in`: a session of the dashboard, an API key with full access, or a key with the `scope` that the route has.
 * - `person`: a session; API keys are refused.
 * - `confirmed`: a session in which the person re-authenticated within the last hour. Every route that grants access or
 *   returns a secret requires this.
 * - `confirmed or key`: such a session, or an API key with full access. Programs use it to set up webhooks and page
 *   sources, because the holder of such a key can page anyway, and to apply the operator's file, of which a key may not use what grants access.
 */
export type Door = 'open' | 'secret' | Scope | 'signed in' | 'person' | 'confirmed' | 'confirmed or key';

/**
 * Who may use the route once they are authenticated: everybody in the organization, everybody for their own things, the
 * people concerned (of a page, a team or a shift, as its room decides), or people with a right.
 */
export type Whose = 'everybody' | 'their own' | 'those concerned' | Right;

/**
 * - `scope`: keys that were made with it may use a route with `signed in`, without full access.
 * - `confirmedFor`: bodies for which a route with `signed in` requires a confirmed session.
 * - `whileAway`: while the database cannot be reached, the route also takes a session that was open when this node last
 *   saved its on-call list.
 */
export type Access = {
  door: Door;
  whose: Whose;
  scope?: Scope;
  confirmedFor?: (body: unknown) => boolean;
  whileAway?: true;
};

const open: Access = { door: 'open', whose: 'everybody' };
const secret: Access = { door: 'secret', whose: 'everybody' };
const key = (scope: Scope): Access => ({ door: scope, whose: 'everybody' });
const signedIn = (whose: Whose): Access => ({ door: 'signed in', whose });
/** Routes behind the tools of `/mcp` that read, and that change something. */
const toolThatReads = (whose: Whose): Access => ({ door: 'signed in', whose, scope: 'mcp:read' });
const toolThatActs = (whose: Whose): Access => ({ door: 'signed in', whose, scope: 'mcp:write' });
const person = (whose: Whose): Access => ({ door: 'person', whose });
const confirmed = (whose: Whose): Access => ({ door: 'confirmed', whose });
const confirmedOrKey = (whose: Whose): Access => ({ door: 'confirmed or key', whose });
const confirmedFor = (whose: Whose, holds: (body: unknown) => boolean): Access => ({
  ...{ door: 'signed in', whose, confirmedFor: holds },
});

const field = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
const changesRole = (body: unknown) => field(body, 'role') !== undefined;
const makesManager = (body: unknown) => field(body, 'role') === 'manager';
const namesManager = (body: unknown) => [field(body, 'members')].flat().some(makesManager);
const makesWebhook = (body: unknown) => field(body, 'type') === 'webhook';
const changesSecret = (body: unknown) => field(body, 'signing_secret') !== undefined;

/** The APIs of other products, whose keys page sources have: in the path, the query, a header or the body. */
export const SENDER_ROUTES: readonly string[] = [
  ...['POST /v2/enqueue', 'POST /v2/change/enqueue', 'POST /generic/2010-04-15/create_event.json'],
  ...['', '/jsm/ops/integration'].flatMap((prefix) => [
    ...['GET', 'POST'].map((method) => `${method} ${prefix}/v2/alerts`),
    ...['GET', 'POST', 'PUT', 'DELETE'].map((method) => `${method} ${prefix}/v2/alerts/*`),
    ...['GET', 'POST', 'PUT', 'PATCH'].map((method) => `${method} ${prefix}/v2/heartbeats/:name/ping`),
    ...['GET', 'POST'].map((method) => `${method} ${prefix}/v2/heartbeats`),
    ...['GET', 'PATCH', 'DELETE'].map((method) => `${method} ${prefix}/v2/heartbeats/:name`),
    ...['enable', 'disable'].map((change) => `POST ${prefix}/v2/heartbeats/:name/${change}`),
    `POST ${prefix}/v2/integrations/authenticate`,
    `GET ${prefix}/v2/teams/:name`,
  ]),
  ...['POST /integrations/v1/:type/:token', 'GET /integrations/v1/:type/:token/heartbeat'],
  'POST /integrations/v1/:type/:token/heartbeat',
  ...['POST /api/v2/generic/incoming', 'POST /v1/api/alerts', 'POST /api/v2/grafana/incoming'],
  'POST /api/v2/prometheusalertmanager/incoming',
  'POST /api/v2/site24x7/incoming',
  'POST /api/v2/heartbeat/:monitor',
  'POST /v1/api/heartbeat/:monitor',
  'POST /integrations/generic/20131114/alert/:key',
  'POST /integrations/generic/20131114/alert/:key/:routing',
];

/**
 * Every route of both listeners except the dashboard's files. A route that is missing here requires a confirmed session,
 * and `stories/every-right.test.ts` fails.
 */
const ROUTES: Readonly<Record<string, Access>> = {
  'GET /healthz': open,
  'GET /readyz': open,
  // Requires METRICS_TOKEN; without that setting the route does not exist.
  'GET /metrics': secret,
  'GET /openapi.json': open,
  'GET /openapi-dashboard.json': open,
  'GET /docs': open,
  'GET /docs/js/scalar.js': open,

  // Model Context Protocol: its tools are routes below.
  'POST /mcp': toolThatReads('everybody'),

  // The public interface.
  'POST /page/team': key('pages'),
  'POST /page/person': key('pages'),
  'POST /page/acknowledge': key('pages'),
  'POST /page/resolve': key('pages'),
  'GET /request/:id/status': key('requests'),
  'GET /schedules': key('schedules'),
  'GET /schedules/:id/oncalls': key('schedules'),
  'POST /availabilities/upload': { door: 'availabilities', whose: 'availabilities.of_others' },

  // The credential is in the path, or signs the body.
  'GET /calendar/:file': secret,
  'GET /a/:token': secret,
  'POST /a/:token': secret,
  'GET /sign-in/:token': secret,
  'POST /sign-in/:token': secret,
  'GET /heartbeat/:token': secret,
  'POST /heartbeat/:token': secret,
  'POST /moment/:token': secret,
  'POST /moment/:token/:integration': secret,
  'POST /page/:token': secret,
  'POST /page/:token/:type': secret,
  ...Object.fromEntries(SENDER_ROUTES.map((route) => [route, secret])),
  // Redirects to the dashboard, which requires a session.
  'GET /alert/detail/:id': open,
  'POST /callbacks/slack/actions': secret,
  'POST /callbacks/twilio/status/:deliveryId': secret,
  'POST /callbacks/twilio/sms': secret,
  'POST /callbacks/twilio/voice/:deliveryId': secret,
  'POST /callbacks/twilio/voice/:deliveryId/key': secret,

  // Signing in.
  'GET /oidc/start': open,
  'GET /oidc/callback': open,
  'GET /api/sign-in': open,
  'POST /api/sign-in/password': open,
  'POST /api/sign-in/code': open,
  'POST /api/sign-in/passkey/options': open,
  'POST /api/sign-in/passkey': open,
  'POST /api/sign-in/forgotten': open,
  'POST /api/sign-in/new-password': open,
  'POST /api/sign-in/first-run': open,
  'POST /api/sign-in/invitation': open,
  'POST /api/sign-in/invitation/accept': open,

  // One's own account.
  'GET /api/session': signedIn('their own'),
  'DELETE /api/session': signedIn('their own'),
  'GET /api/account': signedIn('their own'),
  'POST /api/account/confirm': person('their own'),
  'POST /api/account/confirm/passkey': person('their own'),
  'POST /api/account/confirmed': confirmed('their own'),
  'POST /api/account/password': confirmed('their own'),
  'DELETE /api/account/sessions/:id': signedIn('their own'),
  'DELETE /api/account/sessions': signedIn('their own'),
  'POST /api/account/codes/begin': confirmed('their own'),
  'POST /api/account/codes': confirmed('their own'),
  'DELETE /api/account/codes': confirmed('their own'),
  'POST /api/account/recovery-codes': confirmed('their own'),
  'POST /api/account/passkeys/options': confirmed('their own'),
  'POST /api/account/passkeys': confirmed('their own'),
  'DELETE /api/account/passkeys/:id': confirmed('their own'),
  'GET /api/keys': signedIn('their own'),
  'POST /api/keys': confirmed('their own'),
  'DELETE /api/keys/:id': signedIn('their own'),
  'GET /api/profile': signedIn('their own'),
  'PATCH /api/profile': signedIn('their own'),
  'GET /api/contact-methods': signedIn('their own'),
  'POST /api/contact-methods': confirmedFor('their own', makesWebhook),
  'PUT /api/contact-methods/order': signedIn('their own'),
  'PATCH /api/contact-methods/:id': signedIn('their own'),
  'DELETE /api/contact-methods/:id': signedIn('their own'),
  'POST /api/contact-methods/:id/code': signedIn('their own'),
  'POST /api/contact-methods/:id/verify': signedIn('their own'),
  'POST /api/contact-methods/:id/test': signedIn('their own'),
  'POST /api/contact-methods/:id/secret': confirmed('their own'),
  'GET /api/notification-rules': signedIn('their own'),
  'PUT /api/notification-rules/:urgency': signedIn('their own'),
  'DELETE /api/notification-rules/:urgency': signedIn('their own'),
  'GET /api/push/key': signedIn('their own'),
  'POST /api/push/subscriptions': signedIn('their own'),
  'DELETE /api/push/subscriptions': signedIn('their own'),
  'GET /api/notices': signedIn('their own'),
  'POST /api/notices/read': signedIn('their own'),
  'GET /api/events': signedIn('their own'),
  'POST /api/events/:id/heard': signedIn('their own'),
  'POST /api/deliveries/:id/confirm': signedIn('their own'),
  'GET /api/calendars': signedIn('their own'),
  'POST /api/calendars': confirmed('their own'),
  'GET /api/calendars/:id': signedIn('their own'),
  'DELETE /api/calendars/:id': signedIn('their own'),
  'POST /api/calendars/:id/rotate': confirmed('their own'),

  // People and invitations.
  'GET /api/people': toolThatReads('everybody'),
  'GET /api/people/overview': signedIn('everybody'),
  'GET /api/people/:id': signedIn('everybody'),
  'PATCH /api/people/:id': confirmedFor('people.change', changesRole),
  'GET /api/people/:id/leaving': signedIn('people.change'),
  'POST /api/people/:id/disable': signedIn('people.change'),
  'POST /api/people/:id/enable': confirmed('people.change'),
  'POST /api/people/:id/sign-in-link': confirmed('people.change'),
  'DELETE /api/people/:id/identity': confirmed('people.change'),
  'GET /api/invitations': signedIn('everybody'),
  'POST /api/invitations': confirmed('people.invite'),
  'POST /api/invitations/:id/link': confirmed('people.invite'),
  'POST /api/invitations/:id/send': confirmed('people.invite'),
  'DELETE /api/invitations/:id': signedIn('people.invite'),
  'GET /api/two-factor': signedIn('everybody'),
  'POST /api/two-factor': confirmed('organization.require_two_factor'),

  // The organization and its teams.
  'GET /api/organization': signedIn('everybody'),
  'PATCH /api/organization': signedIn('organization.change'),
  'POST /api/apply': confirmedOrKey('file.apply'),
  'GET /api/audit': signedIn('audit.read'),
  'GET /api/channels': signedIn('everybody'),
  'GET /api/providers': signedIn('providers.manage'),
  'PUT /api/providers/:name': confirmed('providers.manage'),
  'POST /api/providers/:name/check': confirmed('providers.manage'),
  'DELETE /api/providers/:name': confirmed('providers.manage'),
  'GET /api/system': signedIn('system.read'),
  'GET /api/problems': signedIn('everybody'),
  'GET /api/teams': toolThatReads('everybody'),
  'POST /api/teams': confirmedFor('teams.create', namesManager),
  'GET /api/teams/:id': signedIn('everybody'),
  'PATCH /api/teams/:id': signedIn('team.change'),
  'DELETE /api/teams/:id': signedIn('teams.delete'),
  'PUT /api/teams/:id/members/:user': confirmedFor('team.members', makesManager),
  'DELETE /api/teams/:id/members/:user': signedIn('team.members'),

  // Webhooks, page sources, and their received calls.
  'GET /api/integrations': signedIn('everybody'),
  'GET /api/webhooks': signedIn('everybody'),
  'POST /api/webhooks': confirmedOrKey('team.webhooks'),
  'GET /api/webhooks/:id': signedIn('everybody'),
  'PATCH /api/webhooks/:id': confirmedFor('team.webhooks', changesSecret),
  'DELETE /api/webhooks/:id': signedIn('team.webhooks'),
  'POST /api/webhooks/:id/rotate': confirmedOrKey('team.webhooks'),
  'POST /api/webhooks/:id/test': signedIn('team.webhooks'),
  'POST /api/webhooks/:id/retry': signedIn('team.webhooks'),
  'POST /api/sources/:id/retry': signedIn('team.webhooks'),
  'GET /api/sources': signedIn('everybody'),
  'GET /api/sources/types': signedIn('everybody'),
  'POST /api/sources': confirmedOrKey('team.webhooks'),
  'GET /api/sources/:id': signedIn('everybody'),
  'PATCH /api/sources/:id': confirmedFor('team.webhooks', changesSecret),
  'DELETE /api/sources/:id': signedIn('team.webhooks'),
  'POST /api/sources/:id/try': signedIn('everybody'),
  'POST /api/sources/:id/rotate': confirmedOrKey('team.webhooks'),
  'GET /api/notifications': signedIn('everybody'),
  'GET /api/notifications/counts': signedIn('everybody'),
  'GET /api/notifications/:id': signedIn('everybody'),
  'POST /api/notifications/:id/retry': signedIn('team.webhooks'),
  'POST /api/notifications/retry': signedIn('their own'),

  // Maintenance windows and silences.
  'GET /api/windows': signedIn('everybody'),
  'POST /api/windows': signedIn('team.windows'),
  'POST /api/windows/preview': signedIn('team.windows'),
  'GET /api/windows/:id': signedIn('everybody'),
  'PATCH /api/windows/:id': signedIn('team.windows'),
  'DELETE /api/windows/:id': signedIn('team.windows'),

  // Pages, moments, requests.
  'GET /api/pages': toolThatReads('everybody'),
  'POST /api/pages': toolThatActs('everybody'),
  'POST /api/pages/preview': signedIn('everybody'),
  'POST /api/pages/handled': signedIn('those concerned'),
  'GET /api/pages/:id': toolThatReads('everybody'),
  'POST /api/pages/:id/again': signedIn('everybody'),
  'POST /api/pages/:id/acknowledge': toolThatActs('those concerned'),
  'POST /api/pages/:id/resolve': signedIn('those concerned'),
  'POST /api/pages/:id/escalate': signedIn('those concerned'),
  'POST /api/pages/:id/responders': signedIn('those concerned'),
  'POST /api/pages/:id/reassign': signedIn('those concerned'),
  'POST /api/pages/:id/comments': signedIn('those concerned'),
  'POST /api/pages/:id/unacknowledge': signedIn('those concerned'),
  'POST /api/pages/:id/reopen': signedIn('those concerned'),
  'POST /api/pages/:id/undo': signedIn('those concerned'),
  'POST /api/pages/:id/extend': signedIn('those concerned'),
  'POST /api/pages/:id/snooze': signedIn('those concerned'),
  'GET /api/refused-pages': signedIn('everybody'),
  'GET /api/requests': signedIn('everybody'),
  'GET /api/requests/:id': signedIn('everybody'),
  'GET /api/moments': signedIn('everybody'),
  'GET /api/moments/:id': signedIn('everybody'),
  'POST /api/moments/:id/acknowledge': signedIn('those concerned'),
  'POST /api/moments/:id/resolve': signedIn('those concerned'),
  'POST /api/moments/:id/reopen': signedIn('those concerned'),
  'POST /api/moments/:id/comments': signedIn('those concerned'),
  'POST /api/moments/:id/pages': signedIn('those concerned'),
  'DELETE /api/moments/:id/pages/:page': signedIn('those concerned'),

  // Schedules, shifts, availability.
  'GET /api/on-call': toolThatReads('everybody'),
  'GET /api/on-call/offline': signedIn('everybody'),
  'GET /api/saved-on-call': { ...signedIn('everybody'), whileAway: true },
  'GET /api/schedules': toolThatReads('everybody'),
  'POST /api/schedules': signedIn('team.schedules'),
  'POST /api/schedules/forecast': signedIn('everybody'),
  'POST /api/schedules/first-shifts': signedIn('team.schedules'),
  'GET /api/schedules/:id': signedIn('everybody'),
  'GET /api/schedules/:id/handoff': signedIn('everybody'),
  'PUT /api/schedules/:id/handoff': signedIn('team.handoffs'),
  'GET /api/schedules/:id/handoffs': signedIn('everybody'),
  'GET /api/handoffs/:id': signedIn('everybody'),
  'PATCH /api/schedules/:id': signedIn('team.schedules'),
  'POST /api/schedules/:id/preview': signedIn('team.schedules'),
  'DELETE /api/schedules/:id': signedIn('team.schedules'),
  'GET /api/schedules/:id/uncovered': toolThatReads('everybody'),
  'GET /api/schedules/:id/covers': toolThatReads('everybody'),
  'GET /api/schedules/:id/shifts': toolThatReads('everybody'),
  'GET /api/schedules/:id/shifts/:shiftId': signedIn('everybody'),
  'GET /api/schedules/:id/overrides': signedIn('everybody'),
  'POST /api/schedules/:id/overrides': toolThatActs('those concerned'),
  'POST /api/schedules/:id/overrides/changes': signedIn('team.schedules'),
  'DELETE /api/schedules/:id/overrides/:override': signedIn('those concerned'),
  'GET /api/schedules/:id/plan': toolThatReads('everybody'),
  'GET /api/schedules/:id/plan/draft': signedIn('everybody'),
  'POST /api/schedules/:id/plan/draft': signedIn('team.schedules'),
  'POST /api/schedules/:id/plan/publish': signedIn('team.schedules'),
  'POST /api/schedules/:id/plan/discard': signedIn('team.schedules'),
  'GET /api/shifts': signedIn('everybody'),
  'GET /api/shifts/:id/reason': toolThatReads('everybody'),
  'GET /api/shifts/:id/candidates': toolThatReads('everybody'),
  'POST /api/shifts/:id/offer': toolThatActs('those concerned'),
  'POST /api/shifts/:id/hand-over': signedIn('those concerned'),
  'POST /api/shifts/:id/swap': signedIn('those concerned'),
  'GET /api/covers': signedIn('everybody'),
  'GET /api/covers/:id': signedIn('everybody'),
  'POST /api/covers/:id/take': toolThatActs('those concerned'),
  'POST /api/covers/:id/offer': signedIn('those concerned'),
  'POST /api/covers/:id/decline': signedIn('those concerned'),
  'POST /api/covers/:id/apply': signedIn('those concerned'),
  'POST /api/covers/:id/withdraw': signedIn('those concerned'),
  'GET /api/swaps/:id': signedIn('everybody'),
  'POST /api/swaps/:id/accept': signedIn('those concerned'),
  'POST /api/swaps/:id/decline': signedIn('those concerned'),
  'POST /api/swaps/:id/withdraw': signedIn('those concerned'),
  'GET /api/holiday-calendars': signedIn('everybody'),
  'POST /api/holiday-calendars': signedIn('team.schedules'),
  'GET /api/holiday-calendars/:id': signedIn('everybody'),
  'PATCH /api/holiday-calendars/:id': signedIn('team.schedules'),
  'DELETE /api/holiday-calendars/:id': signedIn('team.schedules'),
  'POST /api/holiday-calendars/:id/check': signedIn('team.schedules'),
  'GET /api/holiday-countries': signedIn('everybody'),
  'GET /api/availabilities': signedIn('everybody'),
  'POST /api/availabilities': signedIn('availabilities.of_others'),
  'PATCH /api/availabilities/:id': signedIn('availabilities.of_others'),
  'DELETE /api/availabilities/:id': signedIn('availabilities.of_others'),
  'POST /api/availabilities/upload': signedIn('availabilities.of_others'),
  'GET /api/availability-sources': signedIn('their own'),
  'POST /api/availability-sources': signedIn('their own'),
  'GET /api/availability-sources/:id': signedIn('their own'),
  'PATCH /api/availability-sources/:id': signedIn('their own'),
  'DELETE /api/availability-sources/:id': signedIn('their own'),
  'POST /api/availability-sources/:id/check': signedIn('their own'),

  // Filters that teams saved.
  'GET /api/saved-views': signedIn('everybody'),
  'POST /api/saved-views': signedIn('team.views'),
  'PATCH /api/saved-views/:id': signedIn('team.views'),
  'DELETE /api/saved-views/:id': signedIn('team.views'),

  // Reports.
  'GET /api/reports/fairness': signedIn('everybody'),
  'GET /api/reports/fairness.csv': signedIn('everybody'),
  'GET /api/reports/responses': signedIn('everybody'),
  'GET /api/reports/responses.csv': signedIn('everybody'),
  'GET /api/reports/load': signedIn('everybody'),
  'GET /api/reports/load.csv': signedIn('everybody'),
  'GET /api/reports/withheld': signedIn('everybody'),
  'GET /api/reports/withheld.csv': signedIn('everybody'),

  // Pay. In published periods, people see their own pay.
  'GET /api/pay/tables': signedIn('pay.manage'),
  'POST /api/pay/tables': signedIn('pay.manage'),
  'PATCH /api/pay/tables/:id': signedIn('pay.manage'),
  'DELETE /api/pay/tables/:id': signedIn('pay.manage'),
  'PUT /api/pay/tables/:id/rates/:from': signedIn('pay.manage'),
  'PATCH /api/pay/tables/:id/rates/:from': signedIn('pay.manage'),
  'DELETE /api/pay/tables/:id/rates/:from': signedIn('pay.manage'),
  'GET /api/pay/people': signedIn('pay.manage'),
  'PUT /api/pay/people/:id': signedIn('pay.manage'),
  'DELETE /api/pay/people/:id/from/:from': signedIn('pay.manage'),
  'GET /api/pay/periods': signedIn('those concerned'),
  'POST /api/pay/periods': signedIn('pay.manage'),
  'GET /api/pay/periods/:id': signedIn('those concerned'),
  'DELETE /api/pay/periods/:id': signedIn('pay.manage'),
  'GET /api/pay/periods/:id/statements/:person': signedIn('those concerned'),
  'GET /api/pay/periods/:id/statements.csv': signedIn('pay.manage'),
  'POST /api/pay/periods/:id/check': signedIn('pay.manage'),
  'POST /api/pay/periods/:id/reopen': signedIn('pay.manage'),
  'POST /api/pay/periods/:id/publish': signedIn('pay.manage'),
};

/** The table's entry for a route; null if it has none. */
export function rowOf(method: string, path: string): Access | null {
  return ROUTES[`${method === 'HEAD' ? 'GET' : method} ${path}`] ?? null;
}

/** What a route requires. A route without an entry requires a confirmed session. */
export function accessOf(method: string, path: string): Access {
  return rowOf(method, path) ?? confirmed('their own');
}

/** The names of all routes of the table: `POST /page/team`. */
export function routeNames(): string[] {
  return Object.keys(ROUTES);
}

/** Whether a key with these scopes may use this route without full access. Keys without scopes may not. */
export function isForScopes({ scope }: Access, scopes: readonly string[] | null): boolean {
  return scope !== undefined && scopes?.includes(scope) === true;
}

/** Whether an API key with full access may use this route. No key may use routes that grant access. */
export function isForKeys({ door }: Access): boolean {
  return door !== 'person' && door !== 'confirmed';
}

export function mustConfirm({ door, confirmedFor: holds }: Access, body: unknown, byKey: boolean): boolean {
  return door === 'confirmed' || (door === 'confirmed or key' && !byKey) || holds?.(body) === true;
}
