import { instantText } from '../../kit/instant.ts';
import { CHANNEL } from '../../notifications/channels/contract.ts';
import type { PersonFacts } from '../../people/contact-store.ts';
import {
  type Means,
  noMethod,
  type Reach,
  type ReachFacts,
  reachability,
} from '../../people/reachability.ts';
import { type Finding, fine, note, problem } from './finding.ts';

/** A person who will have to answer pages within the next days. */
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

const NOT_THERE: ReachFacts = { disabled: true, dashboardOpen: false, methods: [] };

/** Checks that everybody on call now or soon, and every backstop, is reachable. */
export function reachFindings(
  duties: readonly Duty[],
  people: readonly PersonFacts[],
  means: Means,
): Finding[] {
  const onDuty = Map.groupBy(duties, ({ userId }) => userId);
  const findings = [...onDuty].flatMap(([userId, [first]]) => {
    const found = reachability(people.find((person) => person.userId === userId) ?? NOT_THERE, means);
    return first && found.by !== 'contact_method' ? [reachFinding(first, found)] : [];
  });
  if (findings.length > 0) return findings;
  if (onDuty.size === 0)
    return [
      note(
        'people',
        'nobody is on call within 7 days',
        'describe a schedule in your file and run: tocsin apply FILE',
      ),
    ];
  return [
    fine('people', `all ${onDuty.size} people on call within 7 days, backstops included, can be reached`),
  ];
}

function reachFinding({ name, email, schedule, stage, from }: Duty, reach: Reach): Finding {
  const when = from === null ? 'now' : `from ${instantText(from)}`;
  const what =
    stage === null ? `the backstop of ${schedule}` : `on call in stage ${stage} of ${schedule} ${when}`;
  const fix =
    reach.whyNot === noMethod()
      ? 'give them contact_methods in your file and run: tocsin apply FILE'
      : 'fix one of these, or give them another contact method in your file';
  const who = `${name} (${email}) is ${what}`;
  return reach.reachable
    ? note('people', `${who} and can be reached only while their dashboard is open: ${reach.whyNot}`, fix)
    : problem('people', `${who} and cannot be reached: ${reach.whyNot}`, fix);
}

/** Lists channels that are not set up although people rely on them. */
export function providerFindings(
  everybody: readonly Pick<PersonFacts, 'methods'>[],
  { unavailable }: Pick<Means, 'unavailable'>,
): Finding[] {
  const methods = everybody.flatMap((person) => person.methods);
  const sentences = new Map<string, number>();
  for (const [channel, sentence] of unavailable) {
    const type = CHANNEL[channel].method?.type;
    const people = new Set(methods.filter((method) => method.type === type).map(({ userId }) => userId)).size;
    if (people > 0) sentences.set(sentence, Math.max(sentences.get(sentence) ?? 0, people));
  }
  if (sentences.size === 0) return [fine('providers', 'every channel that people use is set up')];
  return [...sentences].map(([sentence, people]) => {
    const who = people === 1 ? '1 person uses it' : `${people} people use it`;
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
