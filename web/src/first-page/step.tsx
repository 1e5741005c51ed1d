import type { ReactNode } from 'react';
import classes from './first-page.module.css';

export type StepState = 'done' | 'now' | 'later';

/** One step to the first page. Only the current step shows its content. */
export function Step({
  number,
  title,
  state,
  summary,
  children,
}: {
  number: number;
  title: string;
  state: StepState;
  /** Shown instead of the content while the step is not current. */
  summary: ReactNode;
  children: ReactNode;
}) {
  return (
    <li
      className={`card ${classes.step}`}
      data-state={state}
      aria-current={state === 'now' ? 'step' : undefined}
    >
      <span className={classes.number} aria-hidden="true">
        {state === 'done' ? '✓' : number}
      </span>
      <div className={classes.body}>
        <h2>{title}</h2>
        {state === 'now' ? children : <p className="muted">{summary}</p>}
      </div>
    </li>
  );
}
