import classes from './plot.module.css';
import { percent, type Series } from './plot.tsx';

type Marks = {
  series: readonly Series[];
  /** For each place on the axis from left to right: a value for each series. */
  values: readonly (readonly (number | null)[])[];
  /** The value at the upper edge. */
  most: number;
};

/** A stacked bar for each place, the first series at the bottom. */
export function Bars({ series, values, most }: Marks) {
  return (
    <div className={`${classes.drawn} ${classes.bars}`}>
      {values.map((parts, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places have no id
        <span key={place} data-bar={parts.some(Boolean) ? '' : undefined}>
          {series.map(({ name, colour }, index) => {
            const value = parts[index] ?? 0;
            return (
              value > 0 && <i key={name} style={{ height: percent(value / most), background: colour }} />
            );
          })}
        </span>
      ))}
    </div>
  );
}

/** A line for each series, with a dot at each place that has a value; it skips places without one. */
export function Lines({ series, values, most }: Marks) {
  const pointsOf = (index: number) =>
    values.flatMap((parts, place) => {
      const value = parts[index] ?? null;
      return value === null ? [] : [`${((place + 0.5) / values.length) * 100} ${(1 - value / most) * 100}`];
    });
  return (
    <svg
      className={`${classes.drawn} ${classes.lines}`}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {series.map(({ name, colour, dashed }, index) => {
        const points = pointsOf(index);
        if (points.length === 0) return null;
        return [
          <path
            key={name}
            data-line={name}
            d={`M${points.join('L')}`}
            stroke={colour}
            strokeDasharray={dashed && '4 5'}
          />,
          <path
            key={`${name}, dots`}
            className={classes.dots}
            d={points.map((point) => `M${point}h0`).join('')}
            stroke={colour}
          />,
        ];
      })}
    </svg>
  );
}
