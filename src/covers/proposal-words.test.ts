import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inLanguage } from '../language/ambient.ts';
import { coverSentence, movesOf, takersText } from './proposal-words.ts';

const at = (text: string) => Date.parse(`2026-12-${text}:00Z`);
const span = (from: string, to: string) => ({ from: at(from), to: at(to) });
const names = { nameOf: (id: string | null) => id ?? 'nobody', timeZone: 'Europe/Berlin' };

const shift = {
  stage: 1,
  seat: 1,
  ...span('01T08:00', '07T08:00'),
  userId: 'Lena',
  cause: 'absence' as const,
};
const away = 'Lena is away in stage 1, Tue 1 Dec 09:00 to Mon 7 Dec 09:00 (times in Europe/Berlin)';
const taken = { ...shift, loses: 'Lena', gains: 'Tomasz' };
const freed = { stage: 2, seat: 1, ...span('07T08:00', '08T08:00'), loses: 'Tomasz', gains: 'Lena' };

describe('a proposal in words', () => {
  it('names the people who take the shift', () => {
    const cover = { ...shift, proposal: { moves: [taken] } };
    assert.equal(takersText(cover, names), 'Tomasz');
    assert.equal(coverSentence({ ...cover, state: 'proposed' }, names), `${away}: Tomasz could take it.`);
    assert.equal(coverSentence({ ...cover, state: 'expired' }, names), `${away}: nobody took it.`);
    assert.equal(
      coverSentence({ ...cover, cause: 'asked', state: 'proposed' }, names),
      `${away.replace('is away', 'needs a replacement')}: Tomasz could take it.`,
    );
    inLanguage('de', () =>
      assert.equal(
        coverSentence({ ...cover, state: 'proposed' }, names),
        'Lena ist abwesend in Stufe 1, Di. 1. Dez. 09:00 bis Mo. 7. Dez. 09:00 (Zeiten in Europe/Berlin): Tomasz könnte sie übernehmen.',
      ),
    );
  });

  it('distinguishes them from people who only free somebody for it, including the person who is away', () => {
    const cover = { ...shift, proposal: { moves: [freed, taken] } };
    assert.deepEqual(movesOf(cover), { own: [taken], freeing: [freed] });
    assert.equal(takersText(cover, names), 'Tomasz');
    const room = 'Lena takes stage 2, Mon 7 Dec 09:00 to Tue 8 Dec 09:00';
    for (const [state, outcome] of [
      ['proposed', `Tomasz could take it if ${room}.`],
      ['taken', `Tomasz took it; ${room}.`],
      ['applied', `On call instead: Tomasz; ${room}.`],
    ] as const)
      assert.equal(
        coverSentence({ ...cover, state }, names),
        `${away}: ${outcome}`,
        'the zone is named once',
      );
  });

  it('names each person once who takes a part', () => {
    const parts = [
      { ...taken, ...span('01T08:00', '03T08:00') },
      { ...taken, ...span('03T08:00', '05T08:00'), gains: 'Ada' },
      { ...taken, ...span('05T08:00', '07T08:00') },
    ];
    assert.equal(takersText({ ...shift, proposal: { moves: parts } }, names), 'Tomasz and Ada');
  });
});
