import { instantText } from '../../kit/instant.ts';
import { type Means, type MethodFacts, obstacleSentence, reachability } from '../../people/reachability.ts';
import { type Finding, fine, note, problem } from './finding.ts';

/** Somebody who is to answer pages within the next days. */
export type Duty = {
  userId: string;
  name: string;
  email: string;
  schedule: string;
  /** Null: as the backstop. */
  stage: number | null;
  /** Null: now. */
  from: Temporal.Instant | null;
};

type Reach = Means & { methods: readonly MethodFacts[] };

/** Everybody on call now or soon, and every backstop, must have a way to be reached. */
export function reachFindings(duties: readonly Duty[], reach: Reach): Finding[] {
  const people = Map.groupBy(duties, ({ userId }) => userId);
  const unreachable = [...people].flatMap(([userId, theirs]) => {
    const methods = reach.methods.filter((method) => method.userId === userId);
    const found = reachability(methods, reach);
    const [first] = theirs;
    return first && !found.reachable ? [unreachableFinding(first, found.obstacles)] : [];
  });
  if (unreachable.length > 0) return unreachable;
  if (people.size === 0)
    return [
      note(
        'people',
        'nobody is on call within 7 days',
        'describe a schedule in your file and run: tocsin apply FILE',
      ),
    ];
  return [
    fine('people', `all ${people.size} people on call within 7 days, backstops included, can be reached`),
  ];
}

function unreachableFinding(
  { name, email, schedule, stage, from }: Duty,
  obstacles: readonly string[],
): Finding {
  const when = from === null ? 'now' : `from ${instantText(from)}`;
  const what =
    stage === null ? `the backstop of ${schedule}` : `on call in stage ${stage} of ${schedule} ${when}`;
  const reason = obstacleSentence(obstacles);
  const fix =
    obstacles.length > 0
      ? 'mend one of these, or give them another contact method in your file'
      : 'give them contact_methods in your file and run: tocsin apply FILE';
  return problem('people', `${name} (${email}) is ${what} and cannot be reached: ${reason}`, fix);
}

/** Channels without their settings, as far as somebody counts on them. */
export function providerFindings({ methods, unavailable }: Omit<Reach, 'allowPrivate'>): Finding[] {
  const uses = {
    sms: 'phone',
    voice: 'phone',
    email: 'email',
    chat: 'chat',
    push: 'push',
    webhook: 'webhook',
  } as const;
  const sentences = new Map<string, number>();
  for (const [channel, sentence] of unavailable) {
    const type = channel === 'browser' ? null : uses[channel];
    const people = new Set(methods.filter((method) => method.type === type).map(({ userId }) => userId)).size;
    if (people > 0) sentences.set(sentence, Math.max(sentences.get(sentence) ?? 0, people));
  }
  if (sentences.size === 0) return [fine('providers', 'every channel that somebody counts on is set up')];
  return [...sentences].map(([sentence, people]) => {
    const who = people === 1 ? '1 person counts on it' : `${people} people count on it`;
    return note(
      'providers',
      `${withoutStop(sentence)}; ${who}`,
      'set it up as docs/channels.md says, or let them use another channel',
    );
  });
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
