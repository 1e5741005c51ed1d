import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inLanguage } from '../language/ambient.ts';
import { movesOf, outcomeText, takersText } from './proposal-words.ts';

const at = (text: string) => Date.parse(`2026-12-${text}:00Z`);
const span = (from: string, to: string) => ({ from: at(from), to: at(to) });
const names = { nameOf: (id: string | null) => id ?? 'nobody', timeZone: 'Europe/Berlin' };

const shift = { stage: 1, seat: 1, ...span('01T08:00', '07T08:00') };
const taken = { ...shift, loses: 'Lena', gains: 'Tomasz' };
const freed = { stage: 2, seat: 1, ...span('07T08:00', '08T08:00'), loses: 'Tomasz', gains: 'Lena' };

describe('a proposal in words', () => {
  it('names the people who take the shift', () => {
    const cover = { ...shift, proposal: { moves: [taken] } };
    assert.equal(takersText(cover, names), 'Tomasz');
    assert.equal(outcomeText({ ...cover, state: 'proposed' }, names), 'Tomasz could take it.');
    assert.equal(outcomeText({ ...cover, state: 'expired' }, names), 'nobody took it.');
    inLanguage('de', () =>
      assert.equal(outcomeText({ ...cover, state: 'proposed' }, names), 'Tomasz könnte sie übernehmen.'),
    );
  });

  it('distinguishes them from people who only free somebody for it, including the person who is away', () => {
    const cover = { ...shift, proposal: { moves: [freed, taken] } };
    assert.deepEqual(movesOf(cover), { own: [taken], freeing: [freed] });
    assert.equal(takersText(cover, names), 'Tomasz');
    const room = 'Lena takes stage 2, Mon 7 Dec 09:00 to Tue 8 Dec 09:00 (Europe/Berlin)';
    assert.equal(outcomeText({ ...cover, state: 'proposed' }, names), `Tomasz could take it if ${room}.`);
    assert.equal(outcomeText({ ...cover, state: 'taken' }, names), `Tomasz took it; ${room}.`);
    assert.equal(outcomeText({ ...cover, state: 'applied' }, names), `On call instead: Tomasz; ${room}.`);
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
