import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { withTeam } from '../calls.ts';
import {
  type Door,
  difference,
  inAnyOrder,
  keyedDoor,
  plainDoor,
  type Step,
  sendUntilAccepted,
  settle,
  sourceDoor,
  type Tale,
  taleOf,
  wrongRepeats,
} from '../course.ts';
import { illFormed, type Place, type Server } from '../place.ts';
import type { Scenario, Verdict } from '../scenario.ts';
import { type Moment, type StatementProxy, statementProxy } from '../statements.ts';

export const deathsBetweenStatements: Scenario = {
  name: 'source-statements',
  promise:
    'the process dies before or after each statement with which a page is raised, updated, acknowledged and resolved: page, timeline and notifications are the same as without',
  inShortForm: true,
  async run({ short, place }) {
    const at = await place(withTeam);
    const nodes: Node[] = [];
    const trial = new Trial(at);
    try {
      const first = await startNode(at, nodes);
      const source = await sourceDoor(at, first.server.url);
      const alone = { nodes: [first] };
      if (short) await trial.run(source.name, { door: source, ...alone }, sampleOf);
      else {
        const cuts = await trial.run(source.name, { door: source, ...alone }, all);
        for (const door of [keyedDoor(at), plainDoor(at)])
          await trial.run(door.name, { door, ...alone }, aroundCommits);
        await startNode(at, nodes);
        await trial.run(`${source.name}, each event to two nodes`, { door: source, nodes }, aroundCommits);
        await trial.runHurried({ door: source, nodes }, cuts);
      }
      const verdict = trial.verdict();
      verdict.broken.push(...illFormed(at.receiver), ...at.logged());
      return verdict;
    } finally {
      await at.end();
      for (const { proxy } of nodes) await proxy.stop();
    }
  },
};

type Node = { server: Server; proxy: StatementProxy };

/** Everything that a dead process has sent is read within this time. */
const ON_ITS_WAY_MS = 20;

/** A process whose connections to the database all go through a proxy of its own. */
async function startNode(at: Place, nodes: Node[]): Promise<Node> {
  const direct = new URL(at.cluster.database.url);
  const proxy = await statementProxy({ host: direct.hostname, port: Number(direct.port) });
  const through = new URL(direct);
  through.port = String(proxy.port);
  const node = { proxy, server: await at.start('all', { DATABASE_URL: through.href }) };
  nodes.push(node);
  return node;
}

/** Ends the process at once; its successor starts as soon as it is gone. */
async function die({ server, proxy }: Node, whenGone: () => void): Promise<void> {
  const gone = once(server.process.child, 'exit').then(async () => {
    proxy.mend();
    await delay(ON_ITS_WAY_MS);
    whenGone();
  });
  await Promise.all([gone, server.replace('SIGKILL', 0)]);
}

/** A moment of a step at which a process dies, when that moment occurs for the first time. */
type Cut = Moment & {
  step: Step;
  /** It occurred in every recording, so a run without it has a fault without effect. */
  isSure: boolean;
};

type Scene = { door: Door; nodes: readonly Node[] };
/** `seen`: the moments of each step. `reached`: the process died. */
type Life = { tale: Tale; seen: Map<Step, Moment[]>; reached: boolean; problems: string[] };

const RECORDINGS = 3;
const MOST_TRIES = 3;
/** In this time, the suite learns the statements of every look for work, and of duties. */
const IDLE_MS = 4_000;
/** Statements that run after the visible end, for example those of a second look. */
const TAIL_MS = 200;
const REACHED_WITHIN_MS = 2_000;

class Trial {
  private readonly at: Place;
  private number = 0;
  private kills = 0;
  private missed = 0;
  private repeats = 0;
  private readonly figures: Record<string, number> = {};
  private readonly broken: string[] = [];

  constructor(at: Place) {
    this.at = at;
  }

  verdict(): Verdict {
    const { kills, missed, repeats, figures } = this;
    return {
      figures: { kills, ...figures, 'repeats, all marked': repeats, 'not reached again': missed },
      broken: this.broken,
    };
  }

  /** Lets a process die at each moment of the door's steps that `choose` chooses. Returns all of these moments. */
  async run(name: string, { door, nodes }: Scene, choose: (cuts: Cut[]) => Cut[]): Promise<Cut[]> {
    const idle = await this.idleMoments(nodes);
    const lives: Life[] = [];
    for (let times = 0; times < RECORDINGS; times++) lives.push(await this.live({ door, nodes }, null));
    const told = (tale: Tale) => (nodes.length > 1 ? inAnyOrder(tale) : tale);
    const [expected] = lives.map(({ tale }) => told(tale));
    if (!expected) throw new Error('Nothing was recorded.');
    for (const life of lives) this.note(`${name}, undisturbed`, life, difference(expected, told(life.tale)));
    const cuts = cutsOf(door.steps, lives, idle);
    const before = this.kills;
    for (const cut of choose(cuts)) {
      let reached = false;
      // A process that takes up work a moment later may reach the same work through other statements.
      for (let tries = 0; !reached && tries < (cut.isSure ? MOST_TRIES : 1); tries++) {
        const life = await this.live({ door, nodes }, cut);
        this.note(`${name}, ${nameOf(cut)}`, life, difference(expected, told(life.tale)));
        reached = life.reached;
      }
      // Two nodes divide the work differently each time.
      if (!reached && cut.isSure && !isMaybeCached(cut) && nodes.length === 1)
        this.broken.push(`${name}, ${nameOf(cut)}: the process never came to this statement`);
    }
    this.counted(name, before);
    return cuts;
  }

  /** A resolve follows its trigger at once, and reaches the other node when the one that has the trigger dies. */
  async runHurried({ door, nodes }: Scene, cuts: readonly Cut[]): Promise<void> {
    const before = this.kills;
    for (const cut of aroundCommits(cuts.filter(({ step }) => step === 'raise'))) {
      const life = await this.live({ door: { ...door, steps: ['raise', 'resolve'] }, nodes }, cut, true);
      this.note(`resolve right after raise, ${nameOf(cut)}`, life, wrongEnd(life));
    }
    this.counted('resolve right after', before);
  }

  private counted(name: string, killsBefore: number): void {
    const kills = this.kills - killsBefore;
    this.figures[`kills: ${name}`] = kills;
    if (kills === 0) this.broken.push(`${name}: no process died, so nothing was tried`);
  }

  private note(what: string, { reached, problems }: Life, wrong: string | null): void {
    if (reached) this.kills++;
    else this.missed += what.includes('undisturbed') ? 0 : 1;
    for (const problem of [...problems, ...(wrong === null ? [] : [wrong])])
      this.broken.push(`${what}: ${problem}`);
  }

  private async idleMoments(nodes: readonly Node[]): Promise<Set<string>> {
    const idle = new Set<string>();
    for (const { proxy } of nodes)
      proxy.cutAt = (moment) => {
        idle.add(keyOf(moment));
        return false;
      };
    await delay(IDLE_MS);
    return idle;
  }

  /** The whole life of one page, in which a process may die. */
  private async live({ door, nodes }: Scene, cut: Cut | null, hurried = false): Promise<Life> {
    const title = `${door.name} ${++this.number}`;
    const seen = new Map<Step, Moment[]>();
    const requestIds: string[] = [];
    const problems: string[] = [];
    let arrivedBefore: ReadonlySet<string> = new Set();
    let death: Promise<void> | null = null;
    const targets = () => nodes.map(({ server }) => server.url);

    const watch = (step: Step) => {
      const moments: Moment[] = [];
      seen.set(step, moments);
      for (const node of nodes)
        node.proxy.cutAt = (moment) => {
          moments.push(moment);
          if (death || cut?.step !== step || keyOf(moment) !== keyOf(cut)) return false;
          death = die(node, () => {
            arrivedBefore = arrivals(this.at, title);
          });
          return true;
        };
    };
    const send = async (step: Step) => {
      const firsts = hurried
        ? targets()
            .slice(step === 'raise' ? 0 : 1)
            .slice(0, 1)
        : targets();
      const ids = await Promise.all(
        firsts.map((first, index) =>
          sendUntilAccepted(door, { first, targets }, step, {
            title,
            idempotencyKey: `${title} ${step} ${index}`,
          }),
        ),
      );
      requestIds.push(...ids.filter((id) => id !== null));
    };

    for (const step of door.steps) {
      if (!(hurried && step === 'resolve')) watch(step);
      await send(step);
      if (hurried && step === 'raise') continue;
      if (!(await settle(this.at))) problems.push(`something still waits after “${step}”`);
      if (!cut) await delay(TAIL_MS);
      if (cut?.step === step && cut.isSure)
        for (const end = performance.now() + REACHED_WITHIN_MS; !death && performance.now() < end; )
          await delay(50);
    }
    await death;
    const { allowed, wrong } = wrongRepeats(this.at, title, arrivedBefore);
    this.repeats += allowed;
    return {
      tale: await taleOf(this.at, title, requestIds),
      seen,
      reached: death !== null,
      problems: [...problems, ...wrong],
    };
  }
}

function arrivals({ receiver }: Place, title: string): Set<string> {
  const all = [...receiver.received, ...receiver.over];
  return new Set(all.filter(({ body }) => body.title === title).map(({ id }) => id));
}

function keyOf({ when, place }: Moment): string {
  return `${when} ${place}`;
}

function nameOf({ when, text, number, step }: Cut): string {
  return `“${step}”, ${when} statement ${number} of its transaction (${text})`;
}

/** The moments of each step in their order, without those that occur in any case. */
function cutsOf(steps: readonly Step[], lives: readonly Life[], idle: ReadonlySet<string>): Cut[] {
  return steps.flatMap((step) => {
    const recordings = lives.map(
      ({ seen }) =>
        new Map((seen.get(step) ?? []).filter(isBetween).map((moment) => [keyOf(moment), moment])),
    );
    const all = new Map(recordings.flatMap((recording) => [...recording]));
    return [...all]
      .filter(([key]) => !idle.has(key))
      .map(([key, moment]) => ({
        ...moment,
        step,
        isSure: recordings.every((recording) => recording.has(key)),
      }));
  });
}

/** A read outside of a transaction, such as that of a key. The process may know the answer from the page before. */
function isMaybeCached({ number, wrote }: Moment): boolean {
  return number === 1 && !wrote;
}

/**
 * Before each statement, and after each statement with a lasting effect. The moment before `begin` is the moment after
 * the previous statement, and an answer that is lost within a transaction has the same effect as a death before the
 * next statement.
 */
function isBetween({ when, lasts, text, wrote }: Moment): boolean {
  if (text === 'begin') return false;
  return when === 'before' || (lasts && wrote);
}

/** Every moment that occurs each time, and both sides of each statement with a lasting effect. */
function all(cuts: Cut[]): Cut[] {
  return cuts.filter((cut) => cut.isSure || isAroundCommit(cut));
}

/** Both sides of each statement with a lasting effect. A transaction is undone wherever its process dies within it. */
function aroundCommits(cuts: Cut[]): Cut[] {
  return cuts.filter(isAroundCommit);
}

function isAroundCommit({ when, text, number, wrote, isSure }: Cut): boolean {
  return wrote && (when === 'after' || text === 'commit' || (number === 1 && isSure));
}

/** For npm test: the first and the last moment of raising, and both sides of the commits that raise and resolve. */
function sampleOf(cuts: Cut[]): Cut[] {
  const sure = cuts.filter(({ isSure }) => isSure);
  const raising = sure.filter(({ step }) => step === 'raise');
  const chosen = new Set([
    ...raising.slice(0, 1),
    ...longestCommit(raising),
    ...raising.slice(-1),
    ...longestCommit(sure.filter(({ step }) => step === 'resolve')),
  ]);
  return [...chosen];
}

function longestCommit(cuts: readonly Cut[]): Cut[] {
  const commits = cuts.filter(({ text }) => text === 'commit');
  const longest = Math.max(...commits.map(({ number }) => number));
  return commits.filter(({ number }) => number === longest);
}

/** The fault of a page that was resolved right after it was triggered; null for none. */
function wrongEnd({ tale: { pages, timeline, requests, notified }, reached }: Life): string | null {
  const count = (lines: readonly string[], word: string) =>
    lines.filter((line) => line.split(' ').includes(word)).length;
  const wrong = [
    ...(pages.join() === 'resolved, low' ? [] : [`pages are [${pages.join('; ')}]`]),
    ...(requests.join() === 'succeeded raised,succeeded resolved'
      ? []
      : [`requests are [${requests.join('; ')}]`]),
    ...(timeline[0]?.startsWith('raised') &&
    count(timeline, 'resolved') === 1 &&
    count(timeline, 'notified') <= 1
      ? []
      : [`the timeline is [${timeline.join('; ')}]`]),
    ...(count(notified, 'page.notification') <= 1 ? [] : [`notifications are [${notified.join('; ')}]`]),
    ...(count(notified, 'page.notification') <= count(notified, 'page.resolved')
      ? []
      : [`who was notified got no all-clear: [${notified.join('; ')}]`]),
    ...(count(notified, 'page.resolved') <= 1 ? [] : [`all-clears are [${notified.join('; ')}]`]),
    // A process that died while it sent a notification may have sent it or not.
    ...(reached || count(notified, 'page.notification') >= count(notified, 'page.resolved')
      ? []
      : [`who was not notified got an all-clear: [${notified.join('; ')}]`]),
  ];
  return wrong.length > 0 ? wrong.join(', and ') : null;
}
