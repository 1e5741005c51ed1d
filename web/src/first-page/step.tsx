import type { ReactNode } from 'react';
import classes from './first-page.module.css';

export type StepState = 'done' | 'now' | 'later';

/** One of the steps to the first page. Only the one that is due shows what to do. */
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
  /** What stands there instead when it is not due. */
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
