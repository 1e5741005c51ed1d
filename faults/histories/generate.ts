import fc from 'fast-check';
import type { Urgency } from '../../src/pages/contract.ts';
import {
  type Act,
  type Answer,
  type Cast,
  type Death,
  type Edit,
  type History,
  type Manner,
  type Name,
  PEOPLE,
} from './history.ts';

const name = fc.constantFrom<Name>(...PEOPLE);
const urgency = fc.constantFrom<Urgency>('high', 'high', 'medium', 'low');
const node = fc.constantFrom('first' as const, 'second' as const);

const person = fc.record({
  methods: fc.constantFrom(1 as const, 1 as const, 1 as const, 2 as const, 0 as const),
  email: fc.constantFrom(false, false, true),
  phone: fc.constantFrom(false, false, false, false, true),
  high: fc.option(fc.constantFrom<number[]>([0, 2, 7], [0, 0], [1], [3, 30]), { freq: 3 }),
});

const cast: fc.Arbitrary<Cast> = fc.record({
  people: fc.record({
    ada: fc.constant({ methods: 1 as const, email: false, phone: false, high: null }),
    grace: person,
    alan: person,
    katherine: person,
  }),
  stages: fc.array(fc.uniqueArray(name, { minLength: 0, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
  backstop: fc.option(name, { freq: 3 }),
  delay: fc.constantFrom(1, 5, 7, 20),
  timeouts: fc.record({
    high: fc.constantFrom(30, 30, 10, 0),
    medium: fc.constantFrom(0, 45),
    low: fc.constantFrom(0, 0, 60),
  }),
});

const death: fc.Arbitrary<Death | undefined> = fc.oneof(
  { weight: 50, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.record({
      node,
      statement: fc.integer({ min: 1, max: 40 }),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
);

const answer = fc.constantFrom<Answer>(
  ...(['acknowledge', 'acknowledge', 'acknowledge', 'resolve', 'escalate', 'escalate'] as const),
  ...(['unacknowledge', 'reopen', 'snooze', 'extend', 'add', 'reassign', 'undo', 'undo'] as const),
);

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ what: fc.constant('disable' as const), who: name }),
  fc.record({ what: fc.constant('away' as const), who: name, hours: fc.constantFrom(1, 12) }),
  fc.record({ what: fc.constant('hand over' as const), stage: fc.nat(2), to: name }),
  fc.record({ what: fc.constant('delay' as const), minutes: fc.constantFrom(1, 3, 10) }),
  fc.record({ what: fc.constant('leave' as const), who: name }),
  fc.record({ what: fc.constant('remove webhooks' as const), who: name }),
  fc.record({
    what: fc.constant('silence' as const),
    effect: fc.constantFrom('hold' as const, 'record' as const),
    minutes: fc.constantFrom(1, 10, 120),
  }),
);

const manner = fc.constantFrom<Manner>(
  ...(['accepts', 'accepts', 'drops', 'refuses', 'fails', 'fails after delivery', 'breaks off'] as const),
);

const action = fc.constantFrom(...(['trigger', 'trigger', 'acknowledge', 'resolve'] as const));
const sent = fc.constantFrom(...(['once', 'once', 'twice', 'to both', 'cut'] as const));
const minutes = fc.constantFrom(0.5, 1, 2, 5, 6, 15, 31, 60, 300, 1500);
const keys = fc.constantFrom('disk', 'network');
const place = fc.nat(9);

const deed = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('page' as const),
      to: fc.oneof(fc.constant('team' as const), fc.constant('team' as const), name),
      urgency,
      key: fc.option(keys, { freq: 2 }),
      sent,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('event' as const),
      key: keys,
      sent,
      action,
      urgency,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('race' as const),
      key: keys,
      events: fc.tuple(fc.record({ action, urgency }), fc.record({ action, urgency })),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('answer' as const),
      page: place,
      how: answer,
      minutes: fc.constantFrom(1, 20, 90),
      who: name,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('storm' as const),
      urgency,
      count: fc.constantFrom(3, 7),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('press' as const), notification: place }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('reply' as const), notification: place }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('wait' as const), minutes, still: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('edit' as const), edit }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('receiver' as const), who: name, manner }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('set clock' as const),
      minutes: fc.constantFrom(-60, -10, 3, 60),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('database away' as const),
      of: fc.constantFrom('both' as const, 'first' as const, 'second' as const),
      during: fc.constantFrom('a page' as const, 'nothing' as const),
      minutes: fc.constantFrom(0, 4),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('switchover' as const),
      during: fc.constantFrom('a page' as const, 'nothing' as const),
      minutes: fc.constantFrom(0, 4),
    }),
  },
);

const act: fc.Arbitrary<Act> = fc
  .tuple(deed, node, death)
  .map(([what, on, dies]) => ({ ...what, node: on, ...(dies ? { death: dies } : {}) }));

export const history: fc.Arbitrary<History> = fc.record({
  cast,
  acts: fc.array(act, { minLength: 3, maxLength: 12 }),
});
