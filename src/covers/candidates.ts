import { instantText } from '../kit/instant.ts';
import { intersects } from '../kit/interval.ts';
import { t } from '../language/contract.ts';
import { peopleById } from '../people/store.ts';
import type { Acting } from './acting.ts';
import type { Candidate, Candidates } from './api-contract.ts';
import { asSentence, ineligibilityTexts } from './ineligibility-text.ts';
import { lockShift } from './offer.ts';
import { loadAround, ranked } from './repair.ts';
import { instant } from './store.ts';
import { partOf } from './take.ts';

/** Who could have a shift or a part of it, and why the others cannot. */
export async function candidatesFor(
  acting: Acting,
  id: string,
  query: { from?: string; to?: string },
): Promise<Candidates> {
  const { tx, at, viewer } = acting;
  const { shift, rota } = await lockShift(acting, id);
  const span = {
    ...(query.from === undefined ? {} : { starts_at: query.from }),
    ...(query.to === undefined ? {} : { ends_at: query.to }),
  };
  const place = partOf(shift, span, at.epochMilliseconds);
  const { roster, schedule } = rota;
  const members = roster.members.get(shift.stage) ?? [];
  const order = ranked(roster, { ...place, userId: shift.userId, not: [] });
  const others = [...new Set([...roster.members.values()].flat())].filter(
    (userId) => userId !== shift.userId && !order.includes(userId),
  );
  const people = await peopleById(tx, viewer.organizationId, [shift.userId, ...order, ...others]);
  const candidates = [...order, ...others].flatMap((userId): Candidate[] => {
    const person = people.get(userId);
    if (!person) return [];
    const [worst] = ineligibilityTexts({ roster, schedule }, person, place);
    const wish = roster.wishes.get(userId)?.find((one) => intersects(one, place));
    return [
      {
        person,
        member: members.includes(userId),
        free: worst === undefined,
        because: worst?.ineligibility ?? null,
        sentence: worst ? asSentence(worst.sentence) : t('{name} is free.', { name: person.name }),
        wish: wish?.type ?? null,
        hours_around: Math.round(loadAround(roster, userId, place) / 360_000) / 10,
      },
    ];
  });
  return {
    shift: {
      id: shift.id,
      stage: shift.stage,
      seat: shift.seat,
      starts_at: instantText(instant(place.from)),
      ends_at: instantText(instant(place.to)),
      person: people.get(shift.userId) ?? null,
    },
    candidates: candidates.sort((a, b) => Number(b.free) - Number(a.free)),
  };
}
