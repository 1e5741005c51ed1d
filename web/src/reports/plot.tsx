import { type CSSProperties, type PointerEvent, type ReactNode, useState } from 'react';
import classes from './plot.module.css';

/** A data series with its CSS colour. */
export type Series = { name: string; colour: string; dashed?: true };

/** The most labels that are shown; a narrow chart hides every other one of them. */
const MOST_NAMES = 6;

/**
 * Axes, grid and legend around a chart; pointing at a place shows its values. The chart stretches with its card in CSS,
 * without measurements in JavaScript, so that the layout never jumps.
 */
export function Plot({
  series,
  ticks,
  words,
  names,
  values,
  children,
}: {
  series: readonly Series[];
  /** Ticks of the vertical axis in even steps from 0; the last one is the upper edge. */
  ticks: readonly number[];
  words: (value: number) => string;
  /** Labels of the places, from left to right. */
  names: readonly string[];
  /** For each place: a value for each series. */
  values: readonly (readonly (number | null)[])[];
  children: ReactNode;
}) {
  const [pointed, setPointed] = useState<number | null>(null);
  const every = Math.ceil(names.length / MOST_NAMES);
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const place = Math.floor(((event.clientX - left) / width) * names.length);
    setPointed(Math.max(0, Math.min(names.length - 1, place)));
  };
  return (
    <div className="stack">
      <div className={`row wrap ${classes.legend}`}>
        {series.map(({ name, colour, dashed }) => (
          <span key={name}>
            <i style={{ background: dashed ? dashes(colour) : colour }} /> {name}
          </span>
        ))}
      </div>
      <div className={classes.plot}>
        <div className={classes.ticks}>
          {ticks.map((tick) => (
            <span key={tick}>{words(tick)}</span>
          ))}
        </div>
        <div
          className={classes.field}
          onPointerDown={point}
          onPointerMove={point}
          // Lifting a finger must not close the values, but leaving with the mouse does.
          onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setPointed(null)}
        >
          <div className={classes.grid}>
            {ticks.map((tick) => (
              <i key={tick} />
            ))}
          </div>
          {pointed !== null && <i className={classes.pointed} style={placeOf(pointed, names.length)} />}
          {children}
          {pointed !== null && (
            <dl
              className={classes.figures}
              style={
                pointed < names.length / 2
                  ? { left: percent((pointed + 1) / names.length) }
                  : { right: percent(1 - pointed / names.length) }
              }
            >
              <b>{names[pointed]}</b>
              {series.map(({ name, colour }, index) => {
                const value = values[pointed]?.[index] ?? null;
                return (
                  <div key={name}>
                    <dt>
                      <i style={{ background: colour }} /> {name}
                    </dt>
                    <dd>{value === null ? '–' : words(value)}</dd>
                  </div>
                );
              })}
            </dl>
          )}
        </div>
        <div className={classes.names}>
          {names.map(
            (name, place) =>
              (names.length - 1 - place) % every === 0 && (
                <span
                  key={name}
                  data-between={every > 1 && ((names.length - 1 - place) / every) % 2 === 1 ? '' : undefined}
                  style={{ '--at': percent((place + 0.5) / names.length) } as CSSProperties}
                >
                  {name}
                </span>
              ),
          )}
        </div>
      </div>
    </div>
  );
}

export function percent(part: number): string {
  return `${part * 100}%`;
}

function placeOf(place: number, of: number) {
  return { left: percent(place / of), width: percent(1 / of) };
}

function dashes(colour: string): string {
  return `repeating-linear-gradient(90deg, ${colour} 0 4px, transparent 4px 6px)`;
}
