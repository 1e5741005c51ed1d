import type { Urgency } from '../../src/pages/contract.ts';

/** The people of every history. `olive` is the owner who acts through the API; she is in no team and has no contact method. */
export const PEOPLE = ['ada', 'grace', 'alan', 'katherine'] as const;
export type Name = (typeof PEOPLE)[number];
export const OWNER = 'olive';

export type Cast = {
  /**
   * For each person: the number of webhooks, whether they also have an email address and a phone number, and their own notification
   * rules for the urgency `high`, which send to the webhooks after the given minutes.
   */
  people: Record<Name, { methods: 0 | 1 | 2; email: boolean; phone: boolean; high: number[] | null }>;
  /** Who is on call in each stage of the team, from stage 1 on. All of them are members of the team. */
  stages: Name[][];
  backstop: Name | null;
  /** Minutes of each stage. */
  delay: number;
  /** Minutes until an acknowledgement times out, 0 for never. */
  timeouts: Record<Urgency, number>;
};

/** How a person's receiver answers. `drops` and `fails after delivery` give wrong answers about the delivery. */
export type Manner =
  | 'accepts'
  /** 200, although nobody will ever see it. */
  | 'drops'
  /** 410, for good. */
  | 'refuses'
  /** 503. */
  | 'fails'
  /** 500, although it was delivered. */
  | 'fails after delivery'
  /** The connection breaks when the notification has arrived. */
  | 'breaks off';

export type NodeName = 'first' | 'second';

/**
 * The fault of the node that handles an act: its connections to the database stop at the `statement`th statement from
 * now, before it runs or after it ran but before its answer arrives, and the node ends.
 */
export type Death = { node: NodeName; statement: number; when: 'before' | 'after' };

type WithDeath = { death?: Death | undefined; node: NodeName };

export type Act = (
  | { act: 'page'; to: 'team' | Name; urgency: Urgency; key: string | null; sent: Sent }
  /** Several pages to the team at once, more than a phone gets messages in a minute. */
  | { act: 'storm'; urgency: Urgency; count: number }
  | ({ act: 'event'; key: string; sent: Sent } & Event)
  /** The source sends two events of one key at the same instant, one to each node. */
  | { act: 'race'; key: string; events: [Event, Event] }
  | { act: 'answer'; page: number; how: Answer; minutes: number; who: Name }
  /** A person opens the link of a notification that they received, and presses the button. */
  | { act: 'press'; notification: number }
  /** A person acknowledges a text message by reply, or a call with a key. */
  | { act: 'reply'; notification: number }
  | { act: 'wait'; minutes: number; still: boolean }
  | { act: 'set clock'; minutes: number }
  | { act: 'edit'; edit: Edit }
  | { act: 'receiver'; who: Name; manner: Manner }
  /** The database is away for both nodes, or the network to it is cut for one of them. */
  | { act: 'database away'; of: NodeName | 'both'; during: 'a page' | 'nothing'; minutes: number }
  /** Another server becomes the primary. Until then, the nodes reach one that takes no writes. */
  | { act: 'switchover'; during: 'a page' | 'nothing'; minutes: number }
) &
  WithDeath;

export type Event = { action: 'trigger' | 'acknowledge' | 'resolve'; urgency: Urgency };

/** How a client sends a request with one `Idempotency-Key`. */
export type Sent =
  | 'once'
  /** Sends the request again to the other node after the answer. */
  | 'twice'
  /** Sends the request to both nodes at the same instant. */
  | 'to both'
  /** The connection between client and service is cut while the request is under way, and the client sends it again. */
  | 'cut';

export type Answer =
  | 'acknowledge'
  | 'resolve'
  | 'escalate'
  | 'unacknowledge'
  | 'reopen'
  | 'snooze'
  | 'extend'
  | 'add'
  | 'reassign'
  | 'undo';

export type Edit =
  | { what: 'disable'; who: Name }
  | { what: 'away'; who: Name; hours: number }
  | { what: 'hand over'; stage: number; to: Name }
  | { what: 'delay'; minutes: number }
  /** The person removes all their webhooks, and keeps their email address. */
  | { what: 'remove webhooks'; who: Name }
  /** The person leaves the team, and stays on call as planned. */
  | { what: 'leave'; who: Name }
  /**
   * For some time, triggers of the source page nobody. Those that are still open page at the end of that time, or
   * never.
   */
  | { what: 'silence'; effect: 'hold' | 'record'; minutes: number };

export type History = { cast: Cast; acts: Act[] };

/** A history as a text that people can read. */
export function storyOf({ cast, acts }: History): string {
  const people = PEOPLE.map((name) => {
    const { methods, email, phone, high } = cast.people[name];
    return `${name} (${methods} webhooks${email ? ' and email' : ''}${phone ? ' and a phone' : ''}${high ? `, at high urgency after ${high.join(', ')} min` : ''})`;
  });
  const stages = cast.stages.map((names, index) => `stage ${index + 1}: ${names.join(' and ') || 'nobody'}`);
  return [
    `People: ${people.join('; ')}.`,
    `Team sre: ${stages.join('; ')}; backstop: ${cast.backstop ?? 'none'}; ${cast.delay} min each; acknowledgements time out after ${Object.entries(
      cast.timeouts,
    )
      .map(([urgency, minutes]) => `${minutes || 'no'} min (${urgency})`)
      .join(', ')}.`,
    ...acts.map((act, index) => `${String(index + 1).padStart(3)}. ${lineOf(act)}`),
  ].join('\n');
}

function lineOf(act: Act): string {
  const { death } = act;
  const dies = death
    ? `; the ${death.node} node dies ${death.when} the ${death.statement}th statement from then`
    : '';
  return `${deedOf(act)} [${act.node} node]${dies}`;
}

function deedOf(act: Act): string {
  switch (act.act) {
    case 'page':
      return `A program pages ${act.to} at ${act.urgency} urgency${act.key ? `, dedup key ${act.key}` : ''}${SENDING[act.sent]}`;
    case 'storm':
      return `A program pages the team ${act.count} times at ${act.urgency} urgency`;
    case 'event':
      return `The source sends “${act.action}” of ${act.key} at ${act.urgency} urgency${SENDING[act.sent]}`;
    case 'race':
      return `At the same instant, the source sends ${act.events
        .map(({ action, urgency }) => `“${action}” at ${urgency} urgency`)
        .join(' to the first node and ')} to the second, both of ${act.key}`;
    case 'answer':
      return `Olive: ${act.how} page ${act.page}${objectOf(act)}`;
    case 'press':
      return `The person who received notification ${act.notification} acknowledges by its link`;
    case 'reply':
      return `The person who received message or call ${act.notification} on their phone acknowledges it there`;
    case 'wait':
      return `${act.minutes} min pass${act.still ? ' in which nothing runs' : ''}`;
    case 'set clock':
      return `The database's clock is set ${act.minutes < 0 ? 'back' : 'forward'} by ${Math.abs(act.minutes)} min`;
    case 'edit':
      return editOf(act.edit);
    case 'receiver':
      return `The receiver of ${act.who} ${act.manner} from now on`;
    case 'database away':
      return `The database is away for ${act.of === 'both' ? 'both nodes' : `the ${act.of} node`}, during ${act.during} and ${act.minutes} min`;
    case 'switchover':
      return `The database switches over to another server, during ${act.during} and ${act.minutes} min`;
  }
}

const SENDING: Record<Sent, string> = {
  once: '',
  twice: ', and sends the request again to the other node',
  'to both': ', and sends the request to both nodes at the same instant',
  cut: '; the connection is cut, and the request is sent again',
};

function objectOf({ how, minutes, who }: Extract<Act, { act: 'answer' }>): string {
  if (how === 'snooze' || how === 'extend') return ` for ${minutes} min`;
  return how === 'add' || how === 'reassign' ? `: ${who}` : '';
}

function editOf(edit: Edit): string {
  switch (edit.what) {
    case 'disable':
      return `${edit.who} is disabled`;
    case 'away':
      return `${edit.who} is away for ${edit.hours} h`;
    case 'hand over':
      return `${edit.to} takes over stage ${edit.stage + 1}`;
    case 'delay':
      return `Stages wait ${edit.minutes} min from now on`;
    case 'remove webhooks':
      return `${edit.who} removes their webhooks`;
    case 'leave':
      return `${edit.who} leaves the team`;
    case 'silence':
      return `The team is silenced for ${edit.minutes} min (${edit.effect})`;
  }
}
