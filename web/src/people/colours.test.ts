import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { COLOURS, coloursOf } from './colours.ts';

const person = (number: number, ...teams: string[]) => ({
  id: `user_${String(number).padStart(4, '0')}`,
  teams,
});

describe('the colours of people', () => {
  it('differ within a team, however many people the organization has', () => {
    const people = Array.from({ length: 70 }, (_, at) =>
      person(at, `team ${at % 10}`, ...(at % 4 === 0 ? [`team ${(at + 3) % 10}`] : [])),
    );
    const colours = coloursOf(people);
    for (const team of new Set(people.flatMap(({ teams }) => teams))) {
      const members = people.filter(({ teams }) => teams.includes(team));
      const own = members.map(({ id }) => colours.get(id));
      assert.equal(new Set(own).size, Math.min(own.length, COLOURS), `${team}: ${own.join(' ')}`);
    }
  });

  it('differ for everybody in a small organization, and do not depend on the order of the list', () => {
    const people = Array.from({ length: COLOURS }, (_, at) => person(at, `team ${at % 4}`));
    assert.equal(new Set(coloursOf(people).values()).size, COLOURS);
    assert.deepEqual(
      new Map([...coloursOf(people.toReversed())].sort()),
      new Map([...coloursOf(people)].sort()),
    );
  });

  it('are used evenly in a team that has more people than there are colours', () => {
    const colours = coloursOf(Array.from({ length: 3 * COLOURS }, (_, at) => person(at, 'everybody')));
    const uses = Map.groupBy(colours.values(), (colour) => colour);
    assert.deepEqual(new Set([...uses.values()].map(({ length }) => length)), new Set([3]));
  });

  for (const [theme, block] of themes()) {
    const value = (name: string) => {
      const found = new RegExp(`${name}: (#[0-9a-f]{6});`).exec(block)?.[1];
      assert.ok(found, `${name} in the ${theme} theme`);
      return linear(found);
    };
    const all = () => Array.from({ length: COLOURS }, (_, at) => value(`--p${at + 1}`));

    it(`are distinguishable in the ${theme} theme, also for colour-blind people`, () => {
      const colours = all();
      for (const [sight, matrix] of Object.entries(SIGHTS))
        for (const [first, one] of colours.entries())
          for (const [second, other] of colours.slice(0, first).entries()) {
            const apart = distance(seen(one, matrix), seen(other, matrix));
            assert.ok(apart > LEAST_APART, `${sight}: --p${second + 1} and --p${first + 1}, ${apart}`);
          }
    });

    it(`leave initials readable in the ${theme} theme`, () => {
      const ink = luminance(value('--p-ink'));
      for (const [at, colour] of all().entries()) {
        const [dark = 0, light = 0] = [ink, luminance(colour)].sort((a, b) => a - b);
        assert.ok((light + 0.05) / (dark + 0.05) >= 4.5, `--p${at + 1}`);
      }
    });
  }
});

/** In OKLab; two colours at half of that can hardly be told apart side by side. */
const LEAST_APART = 0.045;

type Colour = readonly [red: number, green: number, blue: number];

/** Simulated sight in linear RGB: Machado, Oliveira and Fernandes, 2009. */
const SIGHTS: Record<string, readonly [Colour, Colour, Colour]> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function themes(): [string, string][] {
  const css = readFileSync(new URL('../tokens.css', import.meta.url), 'utf8');
  const [dark = '', light = ''] = css.split('[data-mantine-color-scheme="light"] {');
  return [
    ['dark', dark],
    ['light', light.slice(0, light.indexOf('}'))],
  ];
}

function linear(hex: string): Colour {
  const part = (from: number) => {
    const value = Number.parseInt(hex.slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

const dot = (a: Colour, b: Colour) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const luminance = (colour: Colour) => dot(colour, [0.2126, 0.7152, 0.0722]);

/** A colour as somebody sees it, in OKLab. */
function seen(colour: Colour, [red, green, blue]: readonly [Colour, Colour, Colour]): Colour {
  const shown: Colour = [dot(colour, red), dot(colour, green), dot(colour, blue)];
  const inside = shown.map((part) => Math.max(0, part)) as unknown as Colour;
  const lms: Colour = [
    Math.cbrt(dot(inside, [0.4122214708, 0.5363325363, 0.0514459929])),
    Math.cbrt(dot(inside, [0.2119034982, 0.6806995451, 0.1073969566])),
    Math.cbrt(dot(inside, [0.0883024619, 0.2817188376, 0.6299787005])),
  ];
  return [
    dot(lms, [0.2104542553, 0.793617785, -0.0040720468]),
    dot(lms, [1.9779984951, -2.428592205, 0.4505937099]),
    dot(lms, [0.0259040371, 0.7827717662, -0.808675766]),
  ];
}

const distance = (a: Colour, b: Colour) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
